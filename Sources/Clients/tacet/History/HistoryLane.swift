/// The lane in which a row of the history is drawn. The rows of a lane follow each other.
struct HistoryLane: Hashable {
    /// The appearance of a row.
    enum Kind: String {
        case playing, ducked, quiet, interruption, signal, suppressed, sound, output, recording, fault, command, notice
        case outage
    }

    /// The position of the lane among the others.
    let order: Int
    let id: String
    let title: String
    /// The appearance of its rows, unless a row specifies another.
    let kind: Kind

    private init(_ order: Int, _ id: String, _ title: String, _ kind: Kind) {
        (self.order, self.id, self.title, self.kind) = (order, id, title, kind)
    }

    static let music = HistoryLane(0, "music", "Music", .playing)
    static let interruption = HistoryLane(1, "interruption", "Interruptions", .interruption)
    static let duck = HistoryLane(2, "duck", "Turned down", .ducked)
    static func signal(_ name: String) -> HistoryLane { HistoryLane(3, "signal \(name)", name, .signal) }
    static let sound = HistoryLane(4, "sound", "Sounds", .sound)
    static func output(_ name: String) -> HistoryLane { HistoryLane(5, "output \(name)", name, .output) }
    static let recording = HistoryLane(6, "recording", "Recording", .recording)
    static let device = HistoryLane(7, "device", "Sound device", .fault)
    static let capture = HistoryLane(8, "capture", "Microphone", .fault)
    static let storage = HistoryLane(9, "storage", "Storage", .fault)
    static let slowStorage = HistoryLane(9, "slow storage", "Slow storage", .fault)
    static let recordingStorage = HistoryLane(10, "recording storage", "Recordings’ storage", .fault)
    static func fault(_ record: JournalRecord) -> HistoryLane {
        let owner = record.signals.first ?? record.button ?? record.output ?? record[.sound]
        return HistoryLane(11, record.faultKey, "Fault: \(owner ?? record[.fault] ?? "")", .fault)
    }
    static let sleep = HistoryLane(12, "sleep", "Sleep", .outage)
    static let command = HistoryLane(13, "command", "Commands", .command)
    static let notice = HistoryLane(14, "notice", "Notices", .notice)
    static let outage = HistoryLane(15, "outage", "Not running", .outage)
}
