import Glibc

/// Advises a technician about `EMFILE`, which means that the process has too many open files, or `ENFILE`, which means
/// that the whole system has too many.
func tooManyOpenFilesAdvice(_ code: Int32) -> String {
    code == ENFILE
        ? "find the program with the most open files (lsof), or raise fs.file-max"
        : "raise LimitNOFILE= of the service, and report a bug if this happens again"
}
