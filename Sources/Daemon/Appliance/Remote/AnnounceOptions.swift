import AudioSession
import Glibc
import Spelling
import Systemd

/// The options of `Announce` on the bus. The type is pure.
struct AnnounceOptions: Hashable {
    private(set) var priority: Int?
    /// The highest priority that the announcement may have, for programs that pass on the requests of others.
    private(set) var maximumPriority: Int?
    private(set) var expire = Announcement.Expire.asConfigured

    /// The absolute path of the file that replaces the sound's own file, or nil to play that.
    private(set) var file: String?
    /// The level of that file relative to the sound's level.
    private(set) var level = Level.full

    private static let names = ["priority", "maximumPriority", "expire", "file", "level"]

    /// - Parameter options: A value of the type `a{sv}`.
    init(_ options: BusValue) throws(BusError) {
        guard case .array(_, let entries) = options else { return }
        for case .entry(.string(let name), .variant(let value)) in entries {
            switch name {
            case "priority": priority = try Self.priority(value, name)
            case "maximumPriority": maximumPriority = try Self.priority(value, name)
            case "expire": expire = try Self.expire(value)
            case "file": file = try Self.file(value)
            case "level": level = try Self.level(value)
            default:
                // A longer name would only make the answer long.
                let shown = name.utf8.count <= 40 ? name.visibleLines() : "of this name"
                throw .invalidArguments(
                    Spelling.unknown(
                        "option", shown, among: Self.names,
                        otherwise: "write priority, maximumPriority, expire, file or level"))
            }
        }
        if level != .full, file == nil { throw .invalidArguments("level is the level of file, which is missing") }
    }

    private static func priority(_ value: BusValue, _ name: String) throws(BusError) -> Int {
        guard let number = value.integer, let priority = Int(exactly: number), SoundPolicy.priorities.contains(priority)
        else { throw .invalidArguments("\(name) must be an integer from 0 to 100") }
        return priority
    }

    /// Parses a path. Control characters in it would only clutter the journal, and the kernel does not accept a longer
    /// path.
    private static func file(_ value: BusValue) throws(BusError) -> String {
        guard case .string(let path) = value, path.utf8.first == UInt8(ascii: "/"),
            path.utf8.count < Int(PATH_MAX), path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
        else { throw .invalidArguments("file must be an absolute path, as a string without control characters") }
        return path
    }

    private static func level(_ value: BusValue) throws(BusError) -> Level {
        guard case .double(let decibels) = value, let level = Level(decibels: decibels) else {
            throw .invalidArguments("level must be a number of decibels from -120 to 0, as a double")
        }
        return level
    }

    /// Parses a time. As in systemd, 0 means the configured time and the largest `t` means never.
    private static func expire(_ value: BusValue) throws(BusError) -> Announcement.Expire {
        guard let number = value.integer, let time = UInt64(exactly: number) else {
            throw .invalidArguments(
                "expire must be a number of microseconds, as an integer (0 means as configured, and \(UInt64.max) means "
                    + "never)")
        }
        return switch time {
        case 0: .asConfigured
        case .max: .never
        default: .after(.microseconds(Int64(clamping: time)))
        }
    }
}

extension BusValue {
    /// The value of any integer type, or nil for other types.
    fileprivate var integer: Int128? {
        switch self {
        case .byte(let number): Int128(number)
        case .int16(let number): Int128(number)
        case .uint16(let number): Int128(number)
        case .int32(let number): Int128(number)
        case .uint32(let number): Int128(number)
        case .int64(let number): Int128(number)
        case .uint64(let number): Int128(number)
        default: nil
        }
    }
}
