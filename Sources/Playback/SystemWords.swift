import Glibc

/// The C library's words for an `errno` code.
func systemWords(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
