import CSSL
import Glibc
import Time

/// A file with certificates in PEM format.
public enum CertificateFile {
    /// The maximum number of certificates that are read. The bundle of a Linux distribution contains about 150.
    private static let most = 10_000

    /// Describes why none of the authorities' certificates in a file is valid now, or returns nil if at least one is
    /// valid.
    public static func problem(ofAuthorities path: String) -> String? {
        let problems = problems(in: path)
        guard let first = problems.first else { return "it has no certificate in PEM format" }
        return problems.contains(nil) ? nil : first
    }

    /// Describes what is wrong with the client certificate in a file or with the certificates of its authorities that
    /// follow it. Returns nil if all of them are valid.
    public static func problem(ofClient path: String) -> String? {
        let problems = problems(in: path)
        return problems.isEmpty ? "it has no certificate in PEM format" : problems.lazy.compactMap { $0 }.first
    }

    /// Describes what is wrong with each certificate in the file. The description of a valid certificate is nil.
    private static func problems(in path: String) -> [String?] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var problems: [String?] = []
        // Without a function for the password, OpenSSL would ask for it. A certificate does not need a password.
        while problems.count < most, let certificate = PEM_read_X509(file, nil, { _, _, _, _ in 0 }, nil) {
            problems.append(problem(of: certificate))
            X509_free(certificate)
        }
        ERR_clear_error()
        return problems
    }

    private static func problem(of certificate: OpaquePointer) -> String? {
        let end = X509_get0_notAfter(certificate)
        // A result of 0 means that the field does not contain a valid time.
        guard X509_cmp_current_time(end) > 0 else {
            return "the certificate of \(subject(of: certificate)) expired on \(text(end)) (is the clock right?)"
        }
        let begin = X509_get0_notBefore(certificate)
        guard X509_cmp_current_time(begin) < 0 else {
            return
                "the certificate of \(subject(of: certificate)) is not valid before \(text(begin)) (is the clock right?)"
        }
        return nil
    }

    private static func subject(of certificate: OpaquePointer) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        X509_NAME_oneline(X509_get_subject_name(certificate), &buffer, Int32(buffer.count))
        return string(buffer)
    }

    private static func text(_ time: UnsafePointer<ASN1_TIME>?) -> String {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return "an unreadable date" }
        let time = time_t(timegm(&parts))
        return "\(CivilTime(utc: .seconds(time))) UTC"
    }

    private static func string(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
