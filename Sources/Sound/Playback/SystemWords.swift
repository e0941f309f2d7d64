import Files
import Glibc

/// The C library's message for an `errno` code.
func systemWords(_ code: Int32) -> String {
    String(errno: code)
}

/// What a technician can do about `EMFILE` (the process has too many files open) or `ENFILE` (the whole system has).
func tooManyOpenFilesAdvice(_ code: Int32) -> String {
    code == ENFILE
        ? "find the program with the most open files (lsof), or raise fs.file-max"
        : "raise LimitNOFILE= of the service; if this happens again, report a bug in Tacet"
}
