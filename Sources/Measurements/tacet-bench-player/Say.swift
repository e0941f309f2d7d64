import Glibc

/// A line, at once: whoever reads it waits for it.
func say(_ text: String, on descriptor: Int32 = STDOUT_FILENO) {
    let line = Array((text + "\n").utf8)
    _ = write(descriptor, line, line.count)
}
