import ALSA
import CPulse
import Glibc

/// The address of a sink of a PulseAudio server, or of PipeWire's server for clients of PulseAudio.
public struct PulseAddress: Sendable, Hashable {
    /// The name of the device, as it is configured.
    public let name: String
    /// The server's address in libpulse's syntax, or nil for the server of the user or the system.
    let server: String?
    /// The name of the sink, or nil for the server's default sink.
    let sink: String?
    /// True if ALSA's plug-in can play on the same server without this protocol.
    public let hasOtherWay: Bool

    /// Creates the address that `pulse` or `pulse:SINK` means, or any other name for which ALSA's configuration specifies
    /// its plug-in for PulseAudio or PipeWire. The plug-ins themselves are not used, because they cannot rewind.
    /// - Returns: nil if the address means another kind of device.
    public init?(_ address: PCMAddress) {
        name = address.name
        if address.definition == nil, name == "pulse" || name.hasPrefix("pulse:") {
            server = nil
            let sink = name.dropFirst(6)
            self.sink = sink.isEmpty ? nil : String(sink)
            hasOtherWay = false
        } else {
            guard let plugIn = address.soundServer else { return nil }
            server = plugIn.server
            sink = plugIn.sink
            hasOtherWay = plugIn.kind == .pipeWire
        }
    }

    /// Connects to the server and creates a stream for a moment, to find out whether the sink is available.
    public func isAvailable(for format: StreamFormat, program: String) -> Bool {
        (try? PulseStream.open(self, format, program: program, bell: nil)) != nil
    }

    /// Returns an error for a failed attempt to open this sink.
    func error(_ code: Int32, _ library: UnsafePointer<cpulse_library>) -> PCMError {
        let (number, advice) =
            switch UInt32(code) {
            case PA_ERR_CONNECTIONREFUSED.rawValue: (ECONNREFUSED, "start its sound server")
            case PA_ERR_TIMEOUT.rawValue: (ETIMEDOUT, "restart the sound server, which does not answer")
            case PA_ERR_ACCESS.rawValue, PA_ERR_AUTHKEY.rawValue:
                (EACCES, "allow this user to use the sound server (for a system-wide one, the group \"pulse-access\")")
            case PA_ERR_NOENTITY.rawValue: (ENOENT, "check the name of the sink: `pactl list short sinks` lists them")
            default: (EIO, "check the sound server's log")
            }
        return PCMError(
            operation: "open", device: name, code: number, message: text(code, library), advice: advice)
    }

    private func text(_ code: Int32, _ library: UnsafePointer<cpulse_library>) -> String {
        library.pointee.strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
