import Glibc

/// The C library's words for an `errno` code.
func systemWords(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
}

/// What a person can do about `EMFILE` (the process has too many files open) or `ENFILE` (the whole system has).
func tooManyOpenFilesAdvice(_ code: Int32) -> String {
    code == ENFILE
        ? "see which program holds so many (lsof), or raise fs.file-max"
        : "raise LimitNOFILE= of the service; if it grows again, report it as a fault of Tacet"
}
