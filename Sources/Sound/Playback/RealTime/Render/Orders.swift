import Threads

/// All orders for the render thread. A new value replaces the previous one even if the thread has not read it. The
/// structure consists of words only, so that a `Seqlock` can carry it.
struct Orders {
    var buffer = BufferOrder()
    var source = SourceOrder()
    var playback = PlaybackOrder()
    var sound = VoiceOrder()
    var page = PageOrder()
    var device = DeviceOrder()
    /// 1 if the thread is to end.
    var quits = 0

    /// True if the cue of a signal is to be played over the music. A page is always such a cue.
    var hasCue: Bool {
        @_noLocks @_noAllocation get { sound.isCue != 0 || page.slot != 0 }
    }
    /// True if a sound or a page is to be played over the music.
    var hasSound: Bool {
        @_noLocks @_noAllocation get { sound.slot != 0 || hasCue }
    }

    /// True if something is to be played.
    var wantsSound: Bool { playback.plays != 0 || sound.slot != 0 || page.slot != 0 }

    static let words = MemoryLayout<Orders>.size / MemoryLayout<Int>.size
}

/// An order for the music to play.
struct BufferOrder {
    /// The address of the `BufferSlot`, or 0 if there is none.
    var slot = 0
    /// The number of slots ordered so far.
    var number = 0
}

/// The source to play, which is the library or a live input.
struct SourceOrder {
    /// 1 for an input, or 0 for the library.
    var isInput = 0
    /// The address of the input's `LiveSlot`, or 0 for the library.
    var slot = 0
    /// The number of sources ordered so far.
    var number = 0
    /// The duration of the previous source's fade-out in nanoseconds.
    var fadeOut = 0
}

/// An order to play the source or to be silent.
struct PlaybackOrder {
    /// The number of calls to `play` and `silence` so far.
    var number = 0
    /// 1 to play, or 0 to be silent.
    var plays = 0
    /// The bit pattern of the gain.
    var gain = 0
    /// The duration of the ramp in nanoseconds.
    var ramp = 0
    /// The earliest time at which silent music begins, in nanoseconds of CLOCK_MONOTONIC.
    var notBefore = 0
}

/// The sound to play over the music.
struct VoiceOrder {
    /// The address of the `SoundSlot`, or 0 if there is none.
    var slot = 0
    /// The number of sounds ordered so far, including the orders to stop a sound.
    var number = 0
    /// 1 while the sound is the cue of a signal, even before it has been read.
    var isCue = 0
    /// The time before the sound's first frame, in nanoseconds.
    var wait = 0
    /// The bit pattern of the gain that applies in addition to the sound's own.
    var level = Int(Float(1).bitPattern)
    /// The duration of the ramp to this gain, in nanoseconds, if it changes during the sound.
    var ramp = 0
    /// The number of changes of the gain so far.
    var levels = 0
}

/// The live input to play over the music, in place of a sound.
struct PageOrder {
    /// The address of the input's `LiveSlot`, or 0 if there is none.
    var slot = 0
    /// The number of pages ordered so far, including the orders to stop a page.
    var number = 0
    /// The time before the page is heard, in nanoseconds.
    var wait = 0
}

/// The device to use, and the orders to open and close it.
struct DeviceOrder {
    /// The number of requests so far to open the device although nothing is playing.
    var openings = 0
    /// 1 while the device must be closed and not opened again, because the system is about to sleep.
    var releases = 0
    /// 1 from the end of a sleep until the device that was in use before the sleep has been reopened or is lost.
    var reopens = 0
    /// The index, in the order of preference, of the device to try first. The devices before this one are tried last.
    var target = 0
    /// The number of orders so far to close the device once it is silent and to open the target device.
    var moves = 0
    /// The devices that must stay closed because other programs use them. Bit N stands for the device with the index N.
    var withheld = 0
    /// The number of times that control has found the device lost. Orders from before the last loss are void.
    var losses = 0
}

extension DeviceOrder {
    /// Returns true if the device with this index must stay closed. Indices that do not fit into a word are never withheld.
    func withholds(_ index: Int) -> Bool { index < Int.bitWidth && withheld & 1 << index != 0 }
}

/// The pointers and descriptors that connect the render thread with the other threads. They outlive the thread.
struct RenderLines {
    let orders: Seqlock
    let status: Seqlock
    let events: RenderEventQueue
    let phase: SharedPhase
    /// The descriptors that wake the render thread, the control thread and the storage thread.
    let wakeUp: Int32
    let control: Int32
    let storage: Int32
    /// The alarm that wakes control if the device does not accept frames in time.
    let deviceAlarm: AlarmHandle
}
