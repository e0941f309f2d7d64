import Threads

/// Everything that the render thread is to do. A newer value replaces one that the thread has not seen. Consists of words
/// only, so that a `Seqlock` can carry it.
struct Orders {
    var buffer = BufferOrder()
    var directive = Directive()
    var sound = VoiceOrder()
    var device = DeviceOrder()
    /// 1 when the thread is to end.
    var quits = 0

    /// Whether something is to be heard.
    var wantsSound: Bool { directive.plays != 0 || sound.slot != 0 }

    static let words = MemoryLayout<Orders>.size / MemoryLayout<Int>.size
}

/// What to play.
struct BufferOrder {
    /// Address of the `BufferSlot`; 0 for none.
    var slot = 0
    /// Counts the slots ordered.
    var number = 0
}

/// How to play it.
struct Directive {
    /// Counts the calls of play and silence.
    var number = 0
    /// 1 to play, 0 to be silent.
    var plays = 0
    /// Bits of the gain.
    var gain = 0
    /// Nanoseconds of the ramp.
    var ramp = 0
    /// A silent music does not begin before this time; nanoseconds of CLOCK_MONOTONIC.
    var notBefore = 0
}

/// The sound to play over the music.
struct VoiceOrder {
    /// Address of the `SoundSlot`; 0 for none.
    var slot = 0
    /// Counts the sounds ordered, and the orders to stop one.
    var number = 0
    /// Nanoseconds before the sound's first frame.
    var wait = 0
}

/// Which device to use, and when.
struct DeviceOrder {
    /// Counts the requests to open the device although nothing plays.
    var openings = 0
    /// 1 while the device is to be closed, and not to be opened: the system is about to sleep.
    var releases = 0
    /// 1 from the end of a sleep until the device that was in use before it has been opened again, or lost.
    var reopens = 0
    /// The device to try first, by its index in the order of preference; those before it come last.
    var target = 0
    /// Counts the orders to close the device once it is silent, and to open the target.
    var moves = 0
    /// How often control has found the device lost: orders from before the last loss are void.
    var losses = 0
}

/// What connects the render thread with the others: pointers and descriptors that outlive the thread.
struct RenderLines {
    let orders: Seqlock
    let status: Seqlock
    let notes: RenderEventQueue
    let phase: SharedPhase
    /// The descriptors that wake the render thread, control, and the storage thread.
    let wakeUp: Int32
    let control: Int32
    let storage: Int32
}
