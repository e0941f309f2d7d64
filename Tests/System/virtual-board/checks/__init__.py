"""The checks of the board. Each file contains the checks for one subject. They run in the order of the file names."""
