import CGPIOD
import Glibc

/// An open chip, which is closed when this value is destroyed. Opening a chip and inspecting its lines does not affect
/// other users of the chip. Use it from one thread only.
public struct Chip: ~Copyable {
    public let path: String
    private let handle: UnsafeMutablePointer<cgpiod_chip>

    deinit { cgpiod_chip_close(handle) }

    /// Opens a chip.
    ///
    /// - Parameter path: the path of the device, such as `/dev/gpiochip0`.
    public init(path: String) throws(GPIOError) {
        guard let handle = cgpiod_chip_open(path) else { throw .system(errno, "open", path) }
        self.path = path
        self.handle = handle
    }

    /// Returns what the kernel reports about the chip and its lines. libgpiod 1 reports the lines as they were at the
    /// first call.
    public func info() throws(GPIOError) -> ChipInfo {
        var lines: [LineInfo] = []
        for offset in 0..<cgpiod_chip_lines(handle) {
            guard let info = cgpiod_info_get(handle, offset) else {
                throw .system(errno, "inspect", "line \(offset) of \(path)")
            }
            defer { cgpiod_info_free(info) }
            lines.append(
                LineInfo(
                    offset: Int(offset), name: text(cgpiod_info_name(info)),
                    direction: cgpiod_info_output(info) ? .output : .input,
                    bias: LineBias(code: cgpiod_info_bias(info)), isUsed: cgpiod_info_used(info),
                    consumer: text(cgpiod_info_consumer(info)), isActiveLow: cgpiod_info_active_low(info)))
        }
        return ChipInfo(
            path: path, name: text(cgpiod_chip_name(handle)) ?? path, label: text(cgpiod_chip_label(handle)) ?? "",
            lines: lines)
    }

    private func text(_ string: UnsafePointer<CChar>?) -> String? {
        string.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
