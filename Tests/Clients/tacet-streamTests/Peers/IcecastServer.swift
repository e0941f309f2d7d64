import Foundation
import ServiceLab
import SoundLab
import Testing

/// Icecast with a station of ffmpeg, which sends a tone.
final class IcecastServer {
    /// The address of the station.
    let url: String
    private let folder: BoardFolder
    private let port: UInt16
    private var server: Subprocess?
    private var source: Subprocess?
    private let password = "hackme"

    init() throws {
        folder = try BoardFolder("tacet-icecast", folders: ["log"])
        port = try LoopbackPort.free()
        url = "http://127.0.0.1:\(port)/live.mp3"
        // Icecast refuses to run as root.
        let configuration = """
            <icecast>
              <limits><sources>2</sources><source-timeout>3</source-timeout></limits>
              <authentication>
                <source-password>\(password)</source-password>
                <admin-user>admin</admin-user><admin-password>\(password)</admin-password>
              </authentication>
              <hostname>localhost</hostname>
              <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
              <paths><logdir>\(folder.path("log"))</logdir><webroot>/usr/share/icecast2/web</webroot></paths>
              <logging><accesslog>access</accesslog><errorlog>error</errorlog></logging>
              <security><changeowner><user>nobody</user><group>nogroup</group></changeowner></security>
            </icecast>

            """
        try configuration.write(toFile: folder.path("icecast.xml"), atomically: true, encoding: .utf8)
        chmod(folder.path("log"), 0o777)
        server = try Subprocess(["icecast2", "-c", folder.path("icecast.xml")], output: folder.log, errors: folder.log)
    }

    deinit { stop() }

    var isReady: Bool { LoopbackPort.accepts(port) }

    /// Lets the station broadcast for an hour.
    func broadcast() throws {
        source = try Subprocess([
            "ffmpeg", "-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i", "sine=frequency=440:duration=3600",
            "-b:a", "128k", "-f", "mp3", "-content_type", "audio/mpeg", "-ice_name", "Test Radio",
            "icecast://source:\(password)@127.0.0.1:\(port)/live.mp3",
        ])
    }

    /// Gives the station a title, as a source does when the next song begins.
    func announce(title: String) throws {
        let credentials = Data("source:\(password)".utf8).base64EncodedString()
        let words = title.replacingOccurrences(of: " ", with: "%20")
        let script = """
            import urllib.request as web
            web.urlopen(web.Request("http://127.0.0.1:\(port)/admin/metadata?mount=/live.mp3&mode=updinfo&song=\(words)",
                headers={"Authorization": "Basic \(credentials)"}), timeout=10)
            """
        try #require(
            Subprocess(["/usr/bin/python3", "-c", script], errors: folder.log).wait() == 0, "\(folder.output)")
    }

    func stopBroadcast() { source?.end() }

    /// Makes ffmpeg send nothing more while its connection stays open.
    func freezeBroadcast() { source?.signal(SIGSTOP) }

    func stop() {
        source?.end()
        server?.end()
    }
}
