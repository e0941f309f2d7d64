"""What the board has to do. A file has the checks of one subject; they run in the order of the files' names."""
