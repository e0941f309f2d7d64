import Clocks
import Playback
import Systemd
import Threads

/// Reports changes of the library's folders in an event loop. It watches on a thread of its own, because a disk can be
/// slow. It owns its source and timer, so their handlers can refer to it `unowned`.
final class LibraryChanges {
    private struct Follower: MailboxWorker {
        let watch: LibraryWatch

        func handle(_ library: Library) -> MailboxReply<Bool> { .done(watch.follow(library)) }
    }

    /// Somebody who copies an album is not done after its first track.
    private static let settling = Duration.seconds(2)
    /// But whoever writes there all the time does not hide the rest.
    private static let longest = Duration.seconds(30)

    private let watch = LibraryWatch()
    private let follower: MailboxThread<Library, Bool>
    private var sources: [EventSource] = []
    private var timer: EventTimer?
    private var since: Duration?

    /// - Parameter then: called when the library has changed, and nothing has for a moment.
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
            // While a folder was read, it was not watched.
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
