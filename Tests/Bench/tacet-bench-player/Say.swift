import Glibc

/// Writes a line without buffering, because the reader waits for it.
func say(_ text: String, on descriptor: Int32 = STDOUT_FILENO) {
    let line = Array((text + "\n").utf8)
    _ = write(descriptor, line, line.count)
}
