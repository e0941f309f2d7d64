import Foundation
import Testing
import Timeline

@testable import tacet

/// A file in the format of `journalctl -o export`: https://systemd.io/JOURNAL_EXPORT_FORMATS.
struct Export {
    private(set) var data = Data()
    /// The boot of the entries, and the time of its clock at its beginning, in seconds.
    var boot = "11111111111111111111111111111111"
    var clock = 1_795_269_600.0
    /// The unit to which the journal attributes the entry.
    var unit = "tacet.service"
    /// The process of the daemon, or nil for an export without it.
    var process: Int? = 400
    /// The name of the machine, or nil for an export without it.
    var host: String?
    /// The start of the service, or nil for an export without it.
    var invocation: String?

    /// Adds an entry at a time in seconds after the boot.
    mutating func entry(
        _ seconds: Double, _ event: String?, _ message: String, _ fields: KeyValuePairs<String, String> = [:]
    ) {
        entry(seconds, event, message, fields.map { ($0.key, $0.value) })
    }

    /// Adds an entry in which a field may occur several times.
    mutating func entry(_ seconds: Double, _ event: String?, _ message: String, _ fields: [(String, String)]) {
        text("__CURSOR", "s=6c0;i=\(data.count);b=\(boot)")
        text("__REALTIME_TIMESTAMP", "\(Int64(((clock + seconds) * 1_000_000).rounded()))")
        text("__MONOTONIC_TIMESTAMP", "\(Int64((seconds * 1_000_000).rounded()))")
        text("_BOOT_ID", boot)
        text("_TRANSPORT", "journal")
        if let process { text("_PID", "\(process)") }
        if let host { text("_HOSTNAME", host) }
        if let invocation { text("_SYSTEMD_INVOCATION_ID", invocation) }
        text("PRIORITY", "5")
        // Values that are not plain ASCII are written as binary data.
        if message.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            text("MESSAGE", message)
        } else {
            binary("MESSAGE", message)
        }
        text("_SYSTEMD_UNIT", unit)
        text("SYSLOG_IDENTIFIER", "tacetd")
        if let event { text("TACET_EVENT", event) }
        for (name, value) in fields { text("TACET_\(name)", value) }
        data += Data("\n".utf8)
    }

    /// Adds systemd's entry about the end of a service's main process.
    mutating func exit(_ seconds: Double, of invocation: String, by process: Int = 1) {
        text("__REALTIME_TIMESTAMP", "\(Int64(((clock + seconds) * 1_000_000).rounded()))")
        text("__MONOTONIC_TIMESTAMP", "\(Int64((seconds * 1_000_000).rounded()))")
        text("_BOOT_ID", boot)
        text("_PID", "\(process)")
        text("MESSAGE_ID", "98e322203f7a4ed290d09fe03c09fe15")
        text("MESSAGE", "tacet.service: Main process exited, code=killed, status=9/KILL")
        text("UNIT", "tacet.service")
        text("INVOCATION_ID", invocation)
        data += Data("\n".utf8)
    }

    mutating func text(_ name: String, _ value: String) { data += Data("\(name)=\(value)\n".utf8) }

    mutating func binary(_ name: String, _ value: String, length: UInt64? = nil) {
        data += Data("\(name)\n".utf8)
        withUnsafeBytes(of: (length ?? UInt64(value.utf8.count)).littleEndian) { data += Data($0) }
        data += Data("\(value)\n".utf8)
    }

    mutating func raw(_ bytes: [UInt8]) { data += Data(bytes) }

    /// A morning with a call that contains an alarm, a pause by the user, and a power cut during a call. A boot with a
    /// wrong clock follows, during which the call ends and a device disappears and returns.
    static var morning: Export {
        var export = Export()
        let one =
            [
                "TRACK": "/srv/music/One.flac", "POSITION_USEC": "0", "PLAYING": "yes", "INTENT": "playing",
                "OUTCOME": "plays ‘One.flac’ at 0:00", "LENGTH_USEC": "240000000",
            ] as KeyValuePairs
        export.entry(20, "configuration-changed", "The sound device default plays 48000 Hz.")
        export.entry(20.1, "started", "Tacet has started without a saved state. Tacet plays ‘One.flac’ at 0:00.", one)
        export.entry(
            80.1, "interruption-began",
            "Interrupted by phone-call (PHONE_CALL). Tacet will resume ‘One.flac’ at 1:00.",
            [
                "SIGNAL": "phone-call", "EFFECT": "pause", "REASON": "default", "TRACK": "/srv/music/One.flac",
                "POSITION_USEC": "60000000", "PLAYING": "no", "INTENT": "playing",
                "OUTCOME": "will resume ‘One.flac’ at 1:00", "LENGTH_USEC": "240000000",
            ])
        export.entry(
            80.15, "interruption-heard", "phone-call (PHONE_CALL) took effect after 52 ms; silent after 112 ms.",
            ["SIGNAL": "phone-call", "LATENCY_USEC": "52000", "SILENT_USEC": "112000"])
        export.entry(
            90, "signal", "door (DOOR) is asserted.", ["SIGNAL": "door", "EFFECT": "pause", "ASSERTED": "yes"])
        export.entry(95, "signal", "door (DOOR) is released.", ["SIGNAL": "door", "EFFECT": "pause", "ASSERTED": "no"])
        export.entry(
            110.1, "interruption-ended", "The interruption is over. Tacet plays ‘One.flac’ at 1:00.",
            [
                "SIGNAL": "phone-call", "SHOULD_RESUME": "yes", "TRACK": "/srv/music/One.flac",
                "POSITION_USEC": "60000000", "PLAYING": "yes", "INTENT": "playing",
                "OUTCOME": "plays ‘One.flac’ at 1:00", "LENGTH_USEC": "240000000",
            ])
        export.entry(
            120, "duck-began", "The music is turned down to -14 dB because of alarm (ALARM).",
            [
                "SIGNAL": "alarm", "EFFECT": "duck", "LEVEL": "-14", "TRACK": "/srv/music/One.flac",
                "POSITION_USEC": "69900000", "PLAYING": "yes", "INTENT": "playing", "OUTCOME": "turned down to -14 dB",
                "LENGTH_USEC": "240000000",
            ])
        export.entry(
            125, "duck-ended", "The music is back at full level after alarm (ALARM).",
            [
                "SIGNAL": "alarm", "EFFECT": "duck", "TRACK": "/srv/music/One.flac", "POSITION_USEC": "74900000",
                "PLAYING": "yes", "INTENT": "playing", "OUTCOME": "back at full level", "LENGTH_USEC": "240000000",
            ])
        export.entry(
            130, "command", "pause: success. Tacet stays paused in ‘One.flac’ at 1:19.",
            [
                "COMMAND": "pause", "ANSWER": "success", "TRACK": "/srv/music/One.flac", "POSITION_USEC": "79900000",
                "PLAYING": "no", "INTENT": "paused", "OUTCOME": "stays paused in ‘One.flac’ at 1:19",
                "LENGTH_USEC": "240000000",
            ])
        export.entry(
            135, "command", "play: success. Tacet plays ‘One.flac’ at 1:19.",
            [
                "COMMAND": "play", "ANSWER": "success", "TRACK": "/srv/music/One.flac", "POSITION_USEC": "79900000",
                "PLAYING": "yes", "INTENT": "playing", "OUTCOME": "plays ‘One.flac’ at 1:19",
                "LENGTH_USEC": "240000000",
            ])
        export.entry(
            140, "interruption-began",
            "Interrupted by phone-call (PHONE_CALL). Tacet will resume ‘One.flac’ at 1:24.",
            [
                "SIGNAL": "phone-call", "EFFECT": "pause", "REASON": "default", "TRACK": "/srv/music/One.flac",
                "POSITION_USEC": "84900000", "PLAYING": "no", "INTENT": "playing",
                "OUTCOME": "will resume ‘One.flac’ at 1:24", "LENGTH_USEC": "240000000",
            ])
        // Without a battery-backed clock it is 1970 until the network sets the time.
        export.boot = "22222222222222222222222222222222"
        export.clock = 0
        export.entry(
            18, "interruption-began",
            "Interrupted from the start by phone-call (PHONE_CALL). Tacet will resume ‘One.flac’ at 1:24.",
            [
                "SIGNAL": "phone-call", "EFFECT": "pause", "REASON": "appWasSuspended",
                "TRACK": "/srv/music/One.flac", "POSITION_USEC": "84900000", "PLAYING": "no", "INTENT": "playing",
                "OUTCOME": "will resume ‘One.flac’ at 1:24", "LENGTH_USEC": "240000000",
            ])
        export.entry(
            18.1, "started", "Tacet has started. Tacet is quiet because phone-call (PHONE_CALL) is asserted.",
            [
                "SIGNAL": "phone-call", "TRACK": "/srv/music/One.flac", "POSITION_USEC": "84900000", "PLAYING": "no",
                "INTENT": "playing", "OUTCOME": "quiet because phone-call (PHONE_CALL) is asserted",
                "LENGTH_USEC": "240000000", "LAST_RUN": "power-cut", "SAVED_AT_USEC": "1795269745000000",
                "SAVED_MONOTONIC_USEC": "145000000", "SAVED_BOOT_ID": "11111111111111111111111111111111",
            ])
        export.clock = 1_795_269_900
        export.entry(
            30, "interruption-ended", "The interruption is over. Tacet plays ‘One.flac’ at 1:24.",
            [
                "SIGNAL": "phone-call", "SHOULD_RESUME": "yes", "TRACK": "/srv/music/One.flac",
                "POSITION_USEC": "84900000", "PLAYING": "yes", "INTENT": "playing",
                "OUTCOME": "plays ‘One.flac’ at 1:24", "LENGTH_USEC": "240000000",
            ])
        export.entry(
            40, "media-services-lost", "The sound device is gone: No such device. Tacet keeps trying.",
            [
                "REASON": "No such device", "TRACK": "/srv/music/One.flac", "POSITION_USEC": "94900000",
                "PLAYING": "no", "INTENT": "playing", "OUTCOME": "Tacet keeps trying to open it",
                "LENGTH_USEC": "240000000",
            ])
        export.entry(
            45, "media-services-reset", "The sound device has returned. Tacet plays ‘One.flac’ at 1:34.",
            [
                "TRACK": "/srv/music/One.flac", "POSITION_USEC": "94900000", "PLAYING": "yes", "INTENT": "playing",
                "OUTCOME": "plays ‘One.flac’ at 1:34", "LENGTH_USEC": "240000000",
            ])
        export.entry(
            50, "fault", "phone-call (PHONE_CALL) chatters and counts as asserted until it settles.",
            ["SIGNAL": "phone-call", "FAULT": "chatter"])
        return export
    }

    /// A damaged journal with extreme numbers. One boot began at the earliest possible time, and in another one all
    /// events have the longest possible duration.
    static var extreme: Export {
        var export = Export()
        func entry(
            _ boot: String, _ time: Int64, _ event: String, _ fields: KeyValuePairs<String, String> = [:]
        ) {
            export.text("__REALTIME_TIMESTAMP", "\(time)")
            export.text("__MONOTONIC_TIMESTAMP", "\(time)")
            export.text("_BOOT_ID", boot)
            export.text("TACET_EVENT", event)
            for (name, value) in fields { export.text("TACET_\(name)", value) }
            export.raw([0x0A])
        }
        entry("early", 5, "started")
        entry(
            "late", 1, "started",
            ["SAVED_BOOT_ID": "early", "SAVED_AT_USEC": "\(Int64.min)", "SAVED_MONOTONIC_USEC": "\(Int64.max)"])
        entry("late", 1, "interruption-began", ["SIGNAL": "call"])
        entry("late", 2, "interruption-heard", ["SIGNAL": "call", "LATENCY_USEC": "\(Int64.max)"])
        entry("late", .max, "interruption-ended", ["SIGNAL": "call"])
        return export
    }
}

extension Export {
    func read() throws -> ExportParser { try ExportParser(reading: data) }

    func chronicle() throws -> Chronicle {
        let parser = try read()
        return Chronicle(parser.records, exits: parser.exits)
    }

    /// Returns a folder in which the export is the file `j`.
    func folder() throws -> Folder {
        let folder = try Folder()
        try data.write(to: folder.url.appendingPathComponent("j"))
        return folder
    }
}

extension ExportParser {
    init(reading data: Data) throws {
        self.init()
        try feed(data)
        try finish()
    }
}

extension Chronicle {
    /// Returns the timeline that `tacet timeline` draws for the whole history.
    func timeline() throws -> Timeline { try #require(HistoryPicture(self, .everything)?.timeline) }
}

extension HistoryRange {
    static var everything: HistoryRange { HistoryRange(since: nil, until: nil) }
}
