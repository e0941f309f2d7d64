import CSystemd

/// Something that an event loop watches until this object is released.
public final class EventSource {
    var handle: OpaquePointer?
    private let action: () -> Void

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    deinit {
        sd_event_source_disable_unref(handle)
    }

    /// True if the source calls its action when it is ready.
    public var isEnabled: Bool {
        get {
            var mode: Int32 = 0
            return sd_event_source_get_enabled(handle, &mode) > 0
        }
        set { sd_event_source_set_enabled(handle, Int32(newValue ? SD_EVENT_ON : SD_EVENT_OFF)) }
    }

    func set(_ priority: EventPriority) {
        sd_event_source_set_priority(handle, priority.number)
    }

    /// The reference that the C library passes to `call`. The library never calls it after `deinit`, so the reference
    /// does not need to retain the object.
    var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func call(_ reference: UnsafeMutableRawPointer?) -> Int32 {
        guard let reference else { return 0 }
        // The source is retained while the action runs, because the action can release it.
        let source = Unmanaged<EventSource>.fromOpaque(reference).takeUnretainedValue()
        source.action()
        return 0
    }
}

/// The priority, which decides which of several ready sources is called first.
public enum EventPriority: Sendable {
    /// The priorities of sources that must precede every other event.
    case first, second, third
    case important, normal, idle

    var number: Int64 {
        switch self {
        case .first: Int64(SD_EVENT_PRIORITY_IMPORTANT) * 4
        case .second: Int64(SD_EVENT_PRIORITY_IMPORTANT) * 3
        case .third: Int64(SD_EVENT_PRIORITY_IMPORTANT) * 2
        case .important: Int64(SD_EVENT_PRIORITY_IMPORTANT)
        case .normal: Int64(SD_EVENT_PRIORITY_NORMAL)
        case .idle: Int64(SD_EVENT_PRIORITY_IDLE)
        }
    }
}
