import Foundation
import ServiceLab
import SoundLab
import Testing

/// The examples for programs that play into Tacet, with these programs. tacet-inputs(7) describes them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RecipeTests {
    /// Checks that the alarm ducks the input as it ducks the library.
    private func checkRamp(_ lab: RecipeLab, _ library: RecordedRamp) throws {
        let ramp = try lab.ramp(like: library)
        let (measured, explained) = ramp.difference(from: library)
        #expect(measured <= explained, "noise \(ramp.noise)")
        print("ramps of \(ramp.gains.count) frames differ by at most \(measured) of \(explained), noise \(ramp.noise)")
    }

    private func startMPD(_ lab: RecipeLab) throws {
        let configuration = """
            music_directory "\(lab.path("songs"))"
            db_file "\(lab.path("program/database"))"
            bind_to_address "\(lab.path("program/socket"))"

            """ + (try lab.example("mpd/mpd.conf"))
        try configuration.write(toFile: lab.path("program/mpd.conf"), atomically: true, encoding: .utf8)
        try lab.start(["mpd", "--no-daemon", "--stderr", lab.path("program/mpd.conf")])
        try lab.wait("MPD") { try mpc(lab, "status").code == 0 }
        for words in [["update", "--wait"], ["add", "/"], ["repeat", "on"], ["play"]] {
            let answer = try mpc(lab, words)
            #expect(answer.code == 0, "\(answer.text)")
        }
    }

    private func mpc(_ lab: RecipeLab, _ words: String...) throws -> (code: Int32, text: String) { try mpc(lab, words) }

    private func mpc(_ lab: RecipeLab, _ words: [String]) throws -> (code: Int32, text: String) {
        try lab.bus.run(["mpc", "--host=\(lab.path("program/socket"))"] + words)
    }

    @Test func alarmDucksAMusicPlayerDaemonAsItDucksTheLibrary() throws {
        let lab = try RecipeLab("mpd", input: "mpd")
        try lab.startDaemon()
        let library = try lab.ramp()
        try startMPD(lab)
        try checkRamp(lab, library)
        // Tacet restarts, and the other program is not restarted.
        lab.killDaemon()
        try lab.startDaemon()
        try checkRamp(lab, library)
        #expect(try mpc(lab, "stop").code == 0)
        try lab.waitForInput(false)
    }

    @Test func alarmDucksAClientOfSnapcastAsItDucksTheLibrary() throws {
        let lab = try RecipeLab("snapclient", input: "snapcast")
        try lab.startDaemon()
        let library = try lab.ramp()
        let port = try LoopbackPort.free()
        try """
        [http]
        enabled = false
        [tcp]
        enabled = false
        [stream]
        port = \(port)
        source = pipe://\(lab.path("program/source"))?name=test&codec=pcm
        """.write(toFile: lab.path("program/snapserver.conf"), atomically: true, encoding: .utf8)
        try lab.start([
            "snapserver", "-c", lab.path("program/snapserver.conf"), "--server.datadir=\(lab.path("program"))",
        ])
        try lab.wait("server") { access(lab.path("program/source"), W_OK) == 0 }
        let frame = Data([0, UInt8(RecipeLab.music >> 24), 0, UInt8(RecipeLab.music >> 24)])
        try Data(repeatElement(frame, count: 48_000 * 60).joined()).write(to: URL(fileURLWithPath: lab.path("song")))
        try lab.start(["sh", "-c", "while cat \(lab.path("song")); do :; done >\(lab.path("program/source"))"])
        let text = try lab.example("snapclient/snapclient.default")
        let options = try #require(text.split(separator: "\"").dropFirst().first)
        // As in a service, SIGPIPE is ignored.
        let command = "trap '' PIPE; exec snapclient -h 127.0.0.1 -p \(port) --logsink=stderr \(options)"
        try lab.start(["sh", "-c", command])
        try checkRamp(lab, library)
        lab.killDaemon()
        try lab.startDaemon()
        try checkRamp(lab, library)
    }

    @Test func alarmDucksAnAirPlayReceiverAsItDucksTheLibrary() throws {
        let lab = try RecipeLab("shairport-sync", input: "airplay")
        try lab.startDaemon()
        let library = try lab.ramp()
        let port = try LoopbackPort.free()
        let configuration = try lab.example("shairport-sync/shairport-sync.conf")
            .replacingOccurrences(of: "general = {", with: "general = {\n  port = \(port);")
        try configuration.write(toFile: lab.path("program/shairport-sync.conf"), atomically: true, encoding: .utf8)
        try lab.start(["shairport-sync", "-u", "-v", "-c", lab.path("program/shairport-sync.conf")])
        try lab.wait("receiver") { LoopbackPort.accepts(port) }
        try lab.server.run([
            "pactl", "load-module", "module-raop-sink", "server=127.0.0.1:\(port)", "protocol=UDP", "encryption=RSA",
            "codec=ALAC", "sink_name=air", "rate=44100", "channels=2", "format=s16le",
        ])
        try lab.start(["paplay", "--device=air", lab.path("songs/0.wav")])
        try checkRamp(lab, library)
        // The receiver finds the pipe again.
        lab.killDaemon()
        try lab.startDaemon()
        try checkRamp(lab, library)
    }

    /// Starts a browser that plays without a user's gesture. The tests may run as root, for which it has no sandbox. Here,
    /// Tacet plays on the same sound server, so the sink must not be the default. The browser's audio thread has no
    /// real-time priority, so with the default buffer of 23 ms it leaves gaps on a busy machine.
    private func startBrowser(_ lab: RecipeLab) throws -> Subprocess {
        let page = lab.path("program/page.html")
        try "<audio src=\"\(lab.path("songs/0.wav"))\" autoplay loop></audio>"
            .write(toFile: page, atomically: true, encoding: .utf8)
        return try lab.start([
            "env", "PULSE_SINK=tacet", "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
            "--audio-buffer-size=8192", "--autoplay-policy=no-user-gesture-required",
            "--user-data-dir=\(lab.path("program/profile"))",
            "file://\(page)",
        ])
    }

    @Test func alarmDucksABrowserOnASoundServerAsItDucksTheLibrary() throws {
        let lab = try RecipeLab("chromium", input: "kiosk")
        try lab.startDaemon()
        let library = try lab.ramp()
        let lines = try lab.example("chromium/tacet.pa").split(separator: "\n")
        let module = try #require(lines.first { $0.hasPrefix("load-module ") })
        try lab.server.run(["pactl", "load-module", "module-suspend-on-idle", "timeout=1"])
        try lab.server.run(["pactl"] + module.split(separator: " ").map(String.init))
        let browser = try startBrowser(lab)
        try checkRamp(lab, library)
        lab.killDaemon()
        try lab.startDaemon()
        try checkRamp(lab, library)
        browser.end()
        // The server writes silence until it suspends the sink.
        try lab.waitForInput(false)
        try lab.checkLibrary()
    }
}
