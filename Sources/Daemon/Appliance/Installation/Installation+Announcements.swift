import AudioSession
import Playback
import Supervisor

/// Announcements, which may have their own files.
extension Installation {
    /// Requests an announcement.
    /// - Parameters:
    ///   - file: The path of a file to play instead of the sound's own file, or nil.
    ///   - level: The level of the file relative to the sound's own level.
    ///   - then: Called once after the file has been read, with the answer and the announcement's number, which is 0 if
    ///     it was not accepted.
    func announce(
        _ announcement: Announcement, file: String?, level: Level = .full, from issuer: Issuer,
        then: @escaping (Answer, Announcement.ID) -> Void
    ) {
        pass()
        guard let file else {
            let (answer, id) = request(announcement, clip: nil, from: issuer)
            settle()
            return then(answer, id)
        }
        defer { settle() }
        guard let sound = supervisor.session.policy.sounds.first(where: { $0.id == announcement.sound }),
            let player = world.player
        else { return reject(announcement, file, .noSuchContent, "there is no sound of this name", from: issuer, then) }
        let session = supervisor.session
        guard
            session.isAnnouncedAlready(sound.id, at: world.now)
                || session.hasRoomForAnnouncement(after: requests.loading.count),
            let number = clips.load(file, format: player.soundFormat)
        else {
            let problem = "\(Session.lackOfRoom), or their files are being read"
            return reject(announcement, file, .commandFailed(problem), nil, from: issuer, then)
        }
        requests.loading.add(
            LoadingAnnouncements.Item(
                announcement, path: file, level: level, number: number,
                priority: announcement.effectivePriority(own: sound.priority),
                from: issuer, at: world.now, timeout: announcement.timeout(own: sound.expire), then: then))
    }

    /// Handles the files that have been read.
    func takeClips() {
        for (number, clip) in clips.takeOutcomes() { requests.loading.loaded(number, clip) }
        settle()
    }

    /// Requests the announcements whose files have been read, and rejects those whose files took too long.
    func requestLoaded() {
        while let item = requests.loading.takeOverdue(by: world.now) {
            reject(item, .noSuchContent, "it was not read in time")
        }
        while let (item, clip) = requests.loading.takeLoaded() {
            switch clip {
            case .failure(let error): reject(item, .noSuchContent, "\(error)")
            case .success(let clip):
                let (answer, id) = request(
                    Announcement(
                        item.announcement.sound, priority: item.priority, expire: item.expire(at: world.now)),
                    clip: clip.attenuated(by: item.level.gain), from: item.issuer)
                item.then(answer, id)
            }
        }
    }

    /// - Returns: The answer and the announcement's number, which is 0 if it was not accepted.
    private func request(
        _ announcement: Announcement, clip: SoundClip?, from issuer: Issuer
    ) -> (answer: Answer, id: Announcement.ID) {
        requests.issuer = issuer
        defer { requests.issuer = nil }
        let report = handle(.announce(announcement, clip: clip))
        let answer = report?.answer ?? .success
        return (answer, answer == .success || answer == .deferred ? report?.announcement ?? 0 : 0)
    }

    /// Withdraws announcements that have not been requested yet, because `hush` also applies to them.
    /// - Returns: True if there were any.
    func withdrawLoading() -> Bool {
        let items = requests.loading.takeAll()
        for item in items { reject(item, .commandFailed("cancelled by a hush while its file was being read"), nil) }
        return !items.isEmpty
    }

    /// Rejects all announcements whose files are still being read, because the installation ends.
    func abandonLoading() {
        for item in requests.loading.takeAll() {
            reject(item, .commandFailed(Self.absence), nil)
        }
    }

    private func reject(_ item: LoadingAnnouncements.Item, _ answer: Answer, _ problem: String?) {
        reject(item.announcement, item.path, answer, problem, from: item.issuer, item.then)
    }

    private func reject(
        _ announcement: Announcement, _ path: String, _ answer: Answer, _ problem: String?, from issuer: Issuer,
        _ then: (Answer, Announcement.ID) -> Void
    ) {
        // The command `hush` has its own issuer.
        let former = requests.issuer
        requests.issuer = issuer
        handle(.reject(announcement, answer, AnnouncedFile(path, problem: problem)))
        requests.issuer = former
        then(answer, 0)
    }
}
