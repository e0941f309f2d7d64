import Glibc

/// What a technician can do about `EMFILE` (the process has too many files open) or `ENFILE` (the whole system has).
func tooManyOpenFilesAdvice(_ code: Int32) -> String {
    code == ENFILE
        ? "find the program with the most open files (lsof), or raise fs.file-max"
        : "raise LimitNOFILE= of the service; if this happens again, report a bug"
}
