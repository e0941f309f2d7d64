"""The checks of the board. Each file has the checks of one subject. They run in the order of the file names."""
