/// What the render thread has to tell control.
struct Note {
    enum Kind: Int {
        /// The first frame changed by a directive (`number`): `frame` of the device, which is heard at `time`.
        case effect
        /// Silence has been reached.
        case faded
        /// The boundary of the slot has been heard.
        case boundary
        /// The device has run dry, or was stopped and started anew; `number` milliseconds are queued from now on.
        case underrun
        /// The ring has run dry; it has been filled again.
        case starving, fed
    }

    var kind: Kind
    var number: Int
    var frame: Int
    var time: Int

    @_noLocks @_noAllocation
    init(kind: Kind, number: Int = 0, frame: Int = 0, time: Int = 0) {
        self.kind = kind
        self.number = number
        self.frame = frame
        self.time = time
    }
}
