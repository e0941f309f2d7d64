import AudioSession
import Clocks
import Glibc
import Playback
import Supervisor

/// The requests whose answers are being found in the library.
struct LibraryLookups {
    /// A request to play tracks that are being found.
    struct PendingChoice {
        let request: ChoiceRequest
        /// The number that the loader returned.
        let number: Int
        let origin: Origin
        /// The time after which the disk is not waited for any longer.
        let deadline: Duration
    }

    enum Origin {
        /// A command. `then` is called once with the answer.
        case command(Issuer, then: (Answer) -> Void)
        /// The end of `IdleAfter=`.
        case idle
    }

    /// Finds the tracks of choices.
    let choices = FileLoader<Result<[Track], ChoiceError>>(thread: "tacet-choice")
    /// The newest choice, or nil if none is pending.
    var choice: PendingChoice?
    /// Lists the names of tracks. A user without rights can ask for many lists, so they have their own places.
    let listings = FileLoader<(names: Library.Names, time: Duration)>(thread: "tacet-list", places: FilePlaces(4))
    /// The receivers of the lists and of the processor time that they have taken, by the numbers that the loader
    /// returned.
    var lists: [Int: (Library.Names?, Duration) -> Void] = [:]
    /// The playlists that the library contained when it was last read.
    var playlists = LibraryPlaylists()
}

/// Choices, whose tracks are found on the disk.
extension Installation {
    /// The longest time that finding a choice may take. Callers on the bus wait for 25 s unless they specify another
    /// time.
    private static let longestWait = Duration.seconds(20)
    /// The longest time to look for a track that can be played.
    private static let longestSearch = Duration.seconds(8)

    /// The tracks of the choice in progress, or nil if its tracks still have to be found.
    var chosen: [Track]? { unresolvedChoice == nil ? supervisor.chosenTracks : nil }

    /// The name of the saved choice whose tracks could not be found because there is no library yet, or nil if there is
    /// none.
    var unresolvedChoice: String? { supervisor.unresolvedChoice }

    /// Plays a track, folder or playlist in place of the library's list. A later command about playback cancels a request
    /// whose tracks are still being found.
    /// - Parameter then: Called once with the answer.
    func choose(_ request: ChoiceRequest, from issuer: Issuer, then: @escaping (Answer) -> Void = { _ in }) {
        pass()
        cancelChoice()
        defer { settle() }
        find(request, for: .command(issuer, then: then))
    }

    /// Finds the tracks that are played when there has been no command for a while.
    func findIdleTracks(_ request: ChoiceRequest) {
        // A command for which tracks are still being found takes precedence.
        if requests.lookups.choice == nil { find(request, for: .idle) }
    }

    private func find(_ request: ChoiceRequest, for origin: LibraryLookups.Origin) {
        guard let library = configuration.playback.library else {
            return refuse(request, .noSuchContent, "no Library= is configured", for: origin)
        }
        let (tracks, name, limit) = (tracks, request.name, Self.longestSearch)
        let number = requests.lookups.choices.begin {
            Result { () throws(ChoiceError) in
                try Library.choose(name, in: library, tracks: tracks, within: limit)
            }
        }
        guard let number else {
            return refuse(request, .commandFailed(Self.lackOfThreads), Self.lackOfThreads, for: origin)
        }
        requests.lookups.choice = LibraryLookups.PendingChoice(
            request: request, number: number, origin: origin, deadline: world.now + Self.longestWait)
    }

    private static let lackOfThreads = "too many files are being read"

    /// Handles the choices whose tracks have been found or cannot be found.
    func takeChoices() {
        for (number, outcome) in requests.lookups.choices.takeOutcomes() where number == requests.lookups.choice?.number
        {
            guard let choice = takePendingChoice() else { return }
            switch (outcome, choice.origin) {
            case (.success(let tracks), .command(let issuer, let then)):
                requests.issuer = issuer
                let answer = handle(.choose(choice.request, tracks: tracks))?.answer ?? .success
                requests.issuer = nil
                then(answer)
            case (.success(let tracks), .idle): handle(.idle(choice.request, tracks: tracks))
            case (.failure(let error), let origin): refuse(choice.request, .noSuchContent, "\(error)", for: origin)
            }
        }
        settle()
    }

    /// Rejects a choice whose tracks were not found in time.
    func dropOverdueChoice() {
        guard let choice = requests.lookups.choice, choice.deadline <= world.now else { return }
        requests.lookups.choice = nil
        refuse(choice.request, .noSuchContent, "the disk has not answered in time", for: choice.origin)
    }

    /// Rejects the choice whose tracks are being found, because of a later command about playback.
    func cancelChoice() { rejectChoice(because: "another command came while its tracks were being found") }

    func rejectChoice(because reason: String) {
        guard let choice = takePendingChoice(), case .command = choice.origin else { return }
        refuse(choice.request, .commandFailed(reason), reason, for: choice.origin)
    }

    /// Lists the names of the library's tracks on another thread, because a library may be large.
    /// - Parameter then: Called once with the names, or nil if too many lists are being made, and with the processor
    ///   time that finding them has taken.
    func listTracks(matching text: String, from first: Int, then: @escaping (Library.Names?, Duration) -> Void) {
        let (tracks, library) = (tracks, configuration.playback.library ?? "")
        let number = requests.lookups.listings.begin {
            let names = Library.names(of: tracks, in: library, matching: text, from: first)
            // The thread does nothing else.
            return (names, SystemClock.read(CLOCK_THREAD_CPUTIME_ID))
        }
        guard let number else { return then(nil, .zero) }
        requests.lookups.lists[number] = then
    }

    func use(_ playlists: LibraryPlaylists) {
        guard playlists != requests.lookups.playlists else { return }
        requests.lookups.playlists = playlists
        onNews(.changed)
    }

    /// The tracks around the one that the session has selected, which are empty if there is none.
    var listedTracks: ListedTracks { supervisor.session.track.map(supervisor.tracks.listed) ?? ListedTracks() }

    func takeListings() {
        for (number, found) in requests.lookups.listings.takeOutcomes() {
            requests.lookups.lists.removeValue(forKey: number)?(found.names, found.time)
        }
    }

    private func takePendingChoice() -> LibraryLookups.PendingChoice? {
        defer { requests.lookups.choice = nil }
        return requests.lookups.choice
    }

    private func refuse(
        _ request: ChoiceRequest, _ answer: Answer, _ problem: String, for origin: LibraryLookups.Origin
    ) {
        switch origin {
        case .command(let issuer, let then):
            // The command that cancels a choice has its own issuer.
            let former = requests.issuer
            requests.issuer = issuer
            handle(.refuse(request, answer, problem: problem))
            requests.issuer = former
            then(answer)
        case .idle: handle(.idle(request, tracks: [], problem: problem))
        }
    }
}

extension Command {
    /// True if the command is about playback, so that it cancels a choice whose tracks are still being found.
    var isAboutPlayback: Bool {
        switch self {
        case .play, .pause, .playPause, .stop, .next, .previous, .seek, .choose, .goTo: true
        case .volume, .announce, .hush, .record, .stopRecording: false
        }
    }
}
