import AudioSession
import Glibc
import Playback

extension Duration {
    /// A time beyond 292,000 years, either way, counts as that long.
    var wholeMicroseconds: Int64 {
        let longest = Duration.microseconds(Int64.max)
        guard self < longest else { return .max }
        guard self > .zero - longest else { return .min }
        return components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}

extension Duration {
    /// A time since 1970 as the local time of day: `14:03:12`.
    var timeOfDay: String {
        let time = localTime
        return [time.tm_hour, time.tm_min, time.tm_sec].map(Self.digits).joined(separator: ":")
    }

    /// A time since 1970 as the local date and time of day: `2026-11-24 14:03:12`.
    var dateAndTimeOfDay: String {
        let time = localTime
        return [time.tm_year + 1900, time.tm_mon + 1, time.tm_mday].map(Self.digits).joined(separator: "-") + " "
            + timeOfDay
    }

    /// Whether two times since 1970 have the same local date.
    func isOnSameDay(as other: Duration) -> Bool {
        let (day, otherDay) = (localTime, other.localTime)
        return (day.tm_year, day.tm_yday) == (otherDay.tm_year, otherDay.tm_yday)
    }

    private var localTime: tm {
        var seconds = time_t(components.seconds)
        var time = tm()
        localtime_r(&seconds, &time)
        return time
    }

    private static func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
}

extension String {
    /// A path as a URL; a relative path starts at the working directory.
    var fileURL: String { Track(path: self).fileURL }
}

extension Track {
    /// The track's path as a URL; a relative path starts at the working directory.
    var fileURL: String {
        var path = pathBytes
        if path.first != UInt8(ascii: "/"), let folder = realpath(".", nil) {
            defer { free(folder) }
            path = Array(UnsafeRawBufferPointer(start: folder, count: strlen(folder))) + [UInt8(ascii: "/")] + path
        }
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        return "file://"
            + path.map { byte in
                if plain.contains(byte) { return String(UnicodeScalar(byte)) }
                let hex = String(byte, radix: 16, uppercase: true)
                return "%" + (hex.count < 2 ? "0" : "") + hex
            }.joined()
    }
}

extension Level {
    /// MPRIS volumes are factors: 0 is silence, 1 is full level.
    var amplitude: Double { self == .mute ? 0 : pow(10, decibels / 20) }

    /// Values outside 0…1 are clamped.
    init(amplitude: Double) {
        let decibels = amplitude <= 0 ? Level.mute.decibels : 20 * log10(min(amplitude, 1))
        self = Level(decibels: max(decibels, Level.mute.decibels)) ?? .full
    }
}
