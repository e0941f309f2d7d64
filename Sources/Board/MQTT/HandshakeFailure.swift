import CMosquitto
import CSSL

/// The reason why the broker's certificate was rejected, which OpenSSL's message “certificate verify failed” does not
/// contain.
enum HandshakeFailure {
    /// Describes the reason, or returns nil if OpenSSL has not rejected the certificate. Call this while OpenSSL's data
    /// for the connection still exists.
    static func reason(_ client: OpaquePointer?) -> String? {
        guard let connection = mosquitto_ssl_get(client) else { return nil }
        let code = Int32(truncatingIfNeeded: SSL_get_verify_result(OpaquePointer(connection)))
        switch code {
        case X509_V_OK: return nil
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "the broker's certificate, or that of its authority, has expired (is this machine's clock right?)"
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return
                "the broker's certificate, or that of its authority, is not valid yet (is this machine's clock right?)"
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_CERT_SIGNATURE_FAILURE:
            return "no trusted authority has signed the broker's certificate: \(text(code))"
        default: return "the broker's certificate is rejected: \(text(code))"
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: X509_verify_cert_error_string(Int(code))) }
}
