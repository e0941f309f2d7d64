import CEvdev
import Clocks
import Glibc

/// A change in the state of a switch or key.
public struct InputEdge: Hashable, Sendable {
    public let code: InputCode
    /// True if the switch is on or the key is held.
    public let level: Bool
    /// The time on CLOCK_MONOTONIC. It is the time of the kernel's event or, after a loss of events, the time at which
    /// the state was read again.
    public let time: Duration

    public init(_ code: InputCode, level: Bool, time: Duration) {
        self.code = code
        self.level = level
        self.time = time
    }
}

/// An open input device. Use it from one thread only. No call blocks.
public protocol HeldInput: AnyObject {
    var name: String { get }
    /// The descriptor to poll.
    var descriptor: Int32 { get }
    /// Returns true if the device has this switch or key.
    func has(_ code: InputCode) -> Bool
    /// Returns the current state.
    func level(of code: InputCode) -> Bool
    /// Reserves the device for this process.
    func grab() throws(InputError)
    /// Returns the edges since the last call, in order of time. Automatic repetitions of a key are omitted. If the
    /// kernel dropped events, the current states are compared with the states that were last reported, so that no
    /// change is lost.
    func readEdges() throws(InputError) -> [InputEdge]
}

/// An input device of this machine, which is read through libevdev.
public final class InputDevice: HeldInput {
    public let descriptor: Int32
    private let device: OpaquePointer
    private let path: String

    /// Opens a device and reads the state of its switches and keys.
    public init(_ path: String) throws(InputError) {
        self.path = path
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno, path) }
        var made: OpaquePointer?
        let code = libevdev_new_from_fd(descriptor, &made)
        guard code >= 0, let made else {
            close(descriptor)
            throw .system(-code, path)
        }
        libevdev_set_clock_id(made, CLOCK_MONOTONIC)
        self.descriptor = descriptor
        device = made
    }

    deinit {
        libevdev_free(device)
        close(descriptor)
    }

    public var name: String { libevdev_get_name(device).map { String(cString: $0) } ?? "" }
    public var place: String { libevdev_get_phys(device).map { String(cString: $0) } ?? "" }

    public func has(_ code: InputCode) -> Bool { libevdev_has_event_code(device, code.type, code.code) != 0 }

    public func level(of code: InputCode) -> Bool { libevdev_get_event_value(device, code.type, code.code) != 0 }

    /// All switches and keys of the device.
    public var codes: [InputCode] {
        [(UInt32(EV_SW), UInt32(SW_MAX)), (UInt32(EV_KEY), UInt32(KEY_MAX))].flatMap { type, last in
            (0...last).filter { libevdev_has_event_code(device, type, $0) != 0 }
                .compactMap { InputCode(type: type, code: $0) }
        }
    }

    public func grab() throws(InputError) {
        let code = libevdev_grab(device, LIBEVDEV_GRAB)
        guard code >= 0 else { throw .system(-code, path) }
    }

    public func readEdges() throws(InputError) -> [InputEdge] {
        var edges: [InputEdge] = []
        var flag = LIBEVDEV_READ_FLAG_NORMAL
        while true {
            var event = input_event()
            let status = libevdev_next_event(device, flag.rawValue, &event)
            switch status {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                edge(event).map { edges.append($0) }
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
                // SYN_DROPPED means that the kernel's queue has overflowed. libevdev reads the states again, and
                // reports the differences, but with the time of an older event.
                if flag == LIBEVDEV_READ_FLAG_SYNC {
                    edge(event, at: SystemClock.monotonic.now).map { edges.append($0) }
                }
                flag = LIBEVDEV_READ_FLAG_SYNC
            case -EAGAIN where flag == LIBEVDEV_READ_FLAG_SYNC: flag = LIBEVDEV_READ_FLAG_NORMAL
            case -EAGAIN: return edges
            case -EINTR: continue
            default: throw .system(-status, path)
            }
        }
    }

    /// Returns the edge of an event.
    /// - Parameter time: the time of the edge, or nil to use the time of the event.
    private func edge(_ event: input_event, at time: Duration? = nil) -> InputEdge? {
        let type = UInt32(event.type)
        // A value of 2 is an automatic repetition.
        guard type == EV_SW || type == EV_KEY, event.value == 0 || event.value == 1,
            let code = InputCode(type: type, code: UInt32(event.code))
        else { return nil }
        let own = Duration.seconds(event.time.tv_sec) + .microseconds(event.time.tv_usec)
        return InputEdge(code, level: event.value == 1, time: time ?? own)
    }
}
