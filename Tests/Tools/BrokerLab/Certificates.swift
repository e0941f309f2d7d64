import Foundation
import SoundLab

/// Certificates that openssl creates in a separate folder. There are two authorities (`ca.pem` and `other.pem`). The
/// first one has issued certificates with their keys (such as `broker.pem` and `broker.key`) for the broker, for the
/// board (`board.pem`), and for another host (`elsewhere.pem`). Two others expired yesterday (`expired.pem`) and are
/// valid from tomorrow (`early.pem`).
public final class Certificates {
    public let folder: URL

    public init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = """
            set -e; cd "$1"; mkdir issued; touch index.txt; echo 01 >serial
            key() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" -keyout "$1.key" "${@:2}"; }
            for name in ca other; do key $name -x509 -days 2 -out $name.pem; done
            printf '%s\n' '[ca]' 'default_ca=own' '[own]' 'database=index.txt' 'serial=serial' 'new_certs_dir=issued' \
              'default_md=sha256' 'policy=any' 'copy_extensions=copy' 'unique_subject=no' '[any]' 'commonName=supplied' >ca.conf
            day() { date -u -d "$1" +%Y%m%d%H%M%SZ; }
            issue() {
              key $1 -addext "subjectAltName=${4:-IP:127.0.0.1}" -out $1.csr
              openssl ca -batch -config ca.conf -cert ca.pem -keyfile ca.key -notext -in $1.csr -out $1.pem \
                -startdate "$(day "$2")" -enddate "$(day "$3")"
            }
            issue broker '1 day ago' tomorrow; issue board '1 day ago' tomorrow; issue expired '2 days ago' yesterday
            issue early tomorrow '2 days'; issue elsewhere '1 day ago' tomorrow DNS:elsewhere.example
            """
        guard try Subprocess(["bash", "-c", script, "bash", folder.path]).wait() == 0 else {
            throw Broker.CannotStart(description: "openssl cannot make certificates")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    public func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Returns the lines for a listener of mosquitto that requires certificates from its clients.
    /// - Parameter name: The name of the broker's certificate.
    public func settings(_ name: String = "broker") -> String {
        """
        cafile \(path("ca.pem"))
        certfile \(path("\(name).pem"))
        keyfile \(path("\(name).key"))
        require_certificate true
        """
    }

    public var settings: String { settings() }
}
