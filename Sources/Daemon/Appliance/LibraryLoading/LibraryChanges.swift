import Clocks
import Playback
import Systemd
import Threads

/// Reports changes in the library's folders in an event loop. It watches on a separate thread, because a disk may be
/// slow. It owns its source and timer, so their handlers can refer to it `unowned`.
final class LibraryChanges {
    private struct Follower: MailboxWorker {
        let watch: LibraryWatch

        func handle(_ library: Library) -> MailboxReply<Bool> { .done(watch.follow(library)) }
    }

    /// The time without further changes after which changes are reported, because a person who copies an album is not
    /// done after its first track.
    private static let settling = Duration.seconds(2)
    /// The longest delay of a report, so that a program that writes continuously does not hide the other changes.
    private static let longest = Duration.seconds(30)

    private let watch = LibraryWatch()
    private let follower: MailboxThread<Library, Bool>
    private var sources: [EventSource] = []
    private var timer: EventTimer?
    private var since: Duration?

    /// - Parameter then: Called when the library has changed and there have been no changes for a moment.
    init(in loop: EventLoop, then: @escaping () -> Void) throws(SystemdError) {
        let watch = watch
        follower = MailboxThread("tacet-watch", lifetime: .whileBusy, unavailable: false) { Follower(watch: watch) }
        timer = try loop.timer { [unowned self] in
            since = nil
            then()
        }
        guard watch.descriptor >= 0 else { return }
        sources = [
            try loop.whenReadable(watch.descriptor) { [unowned self] in
                watch.forget()
                settle()
            },
            // The folder was not watched while it was read.
            try loop.whenReadable(follower.descriptor) { [unowned self] in
                if follower.takeOutcome() == true { settle() }
            },
        ]
    }

    private func settle() {
        let now = SystemClock.monotonic.now
        since = since ?? now
        timer?.deadline = min(now + Self.settling, (since ?? now) + Self.longest)
    }

    func follow(_ library: Library) { follower.send(library) }
}
