import CGPIOD
import Glibc

/// The way in which the levels of a line are driven. The raw values are the ones that libgpiod's tools use.
public enum LineDrive: String, Hashable, Sendable, CaseIterable {
    /// Both levels are driven.
    case pushPull = "push-pull"
    /// Only the low level is driven. A resistor produces the high level.
    case openDrain = "open-drain"
    /// Only the high level is driven. A resistor produces the low level.
    case openSource = "open-source"

    fileprivate var code: Int32 {
        switch self {
        case .pushPull: CGPIOD_DRIVE_PUSH_PULL
        case .openDrain: CGPIOD_DRIVE_OPEN_DRAIN
        case .openSource: CGPIOD_DRIVE_OPEN_SOURCE
        }
    }
}

/// The settings with which a line of a chip is requested as an output.
public struct OutputSetting: Hashable, Sendable {
    /// The number of the line on the chip, counted from 0.
    public var offset: Int
    /// The initial electrical level, which is high if true.
    public var level: Bool
    public var drive: LineDrive
    public var bias: LineBias

    public init(offset: Int, level: Bool, drive: LineDrive = .pushPull, bias: LineBias = .asIs) {
        self.offset = offset
        self.level = level
        self.drive = drive
        self.bias = bias
    }
}

/// A line that is driven until this object is deallocated. The kernel then releases it. Some kernels keep the line's
/// level, and others make it an input. Use it from one thread only.
public final class LineOutput {
    /// The path of the chip's device.
    public let path: String
    private let handle: UnsafeMutablePointer<cgpiod_output>

    deinit { cgpiod_output_release(handle) }

    /// Makes a line an output that drives its initial level from the start.
    ///
    /// - Parameters:
    ///   - path: the path of the chip's device.
    ///   - consumer: the name that other programs see as the user of the line. The kernel keeps at most 31 bytes.
    public init(_ setting: OutputSetting, of path: String, consumer: String) throws(GPIOError) {
        let driven = cgpiod_driven(
            offset: UInt32(clamping: setting.offset), bias: setting.bias.code, drive: setting.drive.code,
            level: setting.level)
        guard let handle = cgpiod_output_request(path, driven, consumer) else {
            throw .system(errno, "request", "line \(setting.offset) of \(path)")
        }
        self.path = path
        self.handle = handle
    }

    /// Sets the electrical level, which is high if true.
    ///
    /// - Throws: `unavailable` after the chip has disappeared.
    public func set(_ level: Bool) throws(GPIOError) {
        guard cgpiod_output_set(handle, level) >= 0 else { throw .system(errno, "drive a line of", path) }
    }

    /// Checks that the line is still driven.
    /// - Throws: `unavailable` after the chip has disappeared.
    public func check() throws(GPIOError) {
        guard cgpiod_output_check(handle) >= 0 else { throw .system(errno, "drive a line of", path) }
    }
}
