import CALSA
import Glibc

/// A jack of a sound card, as an ALSA control reports it.
public struct JackInfo: Hashable, Sendable {
    /// The name of the control, such as `Headphone Jack`.
    public let name: String
    /// A number that identifies the control on its card.
    public let number: UInt32
    /// True if something is plugged in.
    public let isPlugged: Bool

    public init(name: String, number: UInt32, isPlugged: Bool) {
        self.name = name
        self.number = number
        self.isPlugged = isPlugged
    }
}

/// A card's open control, which reports its jacks. Use it from one thread only. Its calls do not block.
public protocol HeldCard: AnyObject {
    var descriptors: [Int32] { get }
    /// Returns the card's jacks with their current states.
    func jacks() throws(PCMError) -> [JackInfo]
    /// Reads all pending events.
    /// - Returns: true if a control has changed, appeared or disappeared.
    func readEvents() throws(PCMError) -> Bool
}

/// The open control of one of this machine's cards.
public final class CardControl: HeldCard {
    private let control: OpaquePointer
    private let name: String

    /// Opens a card's control and subscribes to its events.
    public init(_ card: SoundCard) throws(PCMError) {
        name = "hw:\(card.number)"
        var opened: OpaquePointer?
        var code = snd_ctl_open(&opened, name, Int32(SND_CTL_NONBLOCK))
        guard code >= 0, let opened else { throw .system(code, operation: "open the jacks of", device: name) }
        control = opened
        code = snd_ctl_subscribe_events(control, 1)
        guard code >= 0 else { throw .system(code, operation: "follow the jacks of", device: name) }
    }

    deinit { snd_ctl_close(control) }

    public var descriptors: [Int32] {
        let count = snd_ctl_poll_descriptors_count(control)
        guard count > 0 else { return [] }
        var descriptors = [pollfd](repeating: pollfd(), count: Int(count))
        let filled = snd_ctl_poll_descriptors(control, &descriptors, UInt32(count))
        return descriptors.prefix(Int(max(0, filled))).map(\.fd)
    }

    public func readEvents() throws(PCMError) -> Bool {
        var event: OpaquePointer?
        guard snd_ctl_event_malloc(&event) >= 0, let event else {
            throw .system(-ENOMEM, operation: "read the jacks of", device: name)
        }
        defer { snd_ctl_event_free(event) }
        var hasChanged = false
        while true {
            let code = snd_ctl_read(control, event)
            if code == -EAGAIN || code == 0 { return hasChanged }
            if code == -EINTR { continue }
            guard code > 0 else { throw .system(code, operation: "read the jacks of", device: name) }
            hasChanged = hasChanged || snd_ctl_event_get_type(event) == SND_CTL_EVENT_ELEM
        }
    }

    public func jacks() throws(PCMError) -> [JackInfo] {
        var list: OpaquePointer?
        guard snd_ctl_elem_list_malloc(&list) >= 0, let list else {
            throw .system(-ENOMEM, operation: "list the jacks of", device: name)
        }
        defer { snd_ctl_elem_list_free(list) }
        var code = snd_ctl_elem_list(control, list)
        let count = snd_ctl_elem_list_get_count(list)
        if code >= 0 { code = snd_ctl_elem_list_alloc_space(list, count) }
        guard code >= 0 else { throw .system(code, operation: "list the jacks of", device: name) }
        defer { snd_ctl_elem_list_free_space(list) }
        code = snd_ctl_elem_list(control, list)
        guard code >= 0 else { throw .system(code, operation: "list the jacks of", device: name) }
        var jacks: [JackInfo] = []
        for index in 0..<snd_ctl_elem_list_get_used(list) {
            guard snd_ctl_elem_list_get_interface(list, index) == SND_CTL_ELEM_IFACE_CARD,
                let pointer = snd_ctl_elem_list_get_name(list, index)
            else { continue }
            let name = String(cString: pointer)
            guard name.hasSuffix(" Jack") else { continue }
            let number = snd_ctl_elem_list_get_numid(list, index)
            if let isPlugged = try isOn(number) {
                jacks.append(JackInfo(name: name, number: number, isPlugged: isPlugged))
            }
        }
        return jacks
    }

    /// - Returns: nil if the control is not a switch, or has just disappeared.
    private func isOn(_ number: UInt32) throws(PCMError) -> Bool? {
        var info: OpaquePointer?
        var value: OpaquePointer?
        guard snd_ctl_elem_info_malloc(&info) >= 0, snd_ctl_elem_value_malloc(&value) >= 0, let info, let value else {
            snd_ctl_elem_info_free(info)
            throw .system(-ENOMEM, operation: "read the jacks of", device: name)
        }
        defer {
            snd_ctl_elem_info_free(info)
            snd_ctl_elem_value_free(value)
        }
        snd_ctl_elem_info_set_numid(info, number)
        guard snd_ctl_elem_info(control, info) >= 0,
            snd_ctl_elem_info_get_type(info) == SND_CTL_ELEM_TYPE_BOOLEAN
        else { return nil }
        snd_ctl_elem_value_set_numid(value, number)
        let code = snd_ctl_elem_read(control, value)
        if code == -ENOENT { return nil }
        guard code >= 0 else { throw .system(code, operation: "read a jack of", device: name) }
        return snd_ctl_elem_value_get_boolean(value, 0) != 0
    }
}
