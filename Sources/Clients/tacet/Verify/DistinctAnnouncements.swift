import AudioSession

extension Policy {
    /// One announcement for each way in which a session can treat the announcements of its sounds.
    ///
    /// Announcements differ in their effect, in the relation of their priority and level to those of the signals, in
    /// their expiry, and in what happens when they are requested again or cut. Their names and the exact levels and times
    /// do not matter.
    var distinctAnnouncements: [Announcement] {
        var kinds: Set<AnnouncementKind> = []
        return sounds.filter { kinds.insert(AnnouncementKind($0, self)).inserted }.map {
            Announcement($0.id, expire: $0.expire == nil ? .never : .after(.zero))
        }
    }

    /// Returns true if a signal with this effect can silence the music, and with it sounds of a lower priority. (For a
    /// muted microphone, that depends on the category.)
    func canBlock(_ effect: Effect) -> Bool {
        switch effect {
        case .pause, .muteMicrophone: true
        case .duck: mode == .spokenAudio
        case .checkpoint, .ignore: false
        }
    }
}

/// The properties of an announcement that a session distinguishes.
private struct AnnouncementKind: Hashable {
    private enum Effect: Hashable {
        case pause, mix
        /// The results of comparing the level with each ducking level of the signals. See `comparison`.
        case duck([Int])
    }

    private let effect: Effect
    /// The results of comparing the priority with those of the signals that silence sounds or have a cue.
    private let priorities: [Int]
    private let expires: Bool
    private let again: SoundPolicy.Again
    private let isOnce: Bool
    private let continues: Bool

    init(_ sound: SoundPolicy, _ policy: Policy) {
        switch sound.effect {
        case .duck where policy.mode == .spokenAudio, .pause: effect = .pause
        case .mix: effect = .mix
        case .duck(let level):
            let levels = policy.signals.compactMap { if case .duck(let level) = $0.effect { level } else { nil } }
            effect = .duck(AnnouncementKind.comparison(of: level, with: levels))
        }
        let signals = policy.signals.filter { $0.cue != nil || policy.canBlock($0.effect) }
        priorities = AnnouncementKind.comparison(of: sound.priority, with: signals.map(\.priority))
        expires = sound.expire != nil
        again = sound.again
        isOnce = sound.once > .zero
        continues = sound.continues
    }

    /// Returns for each value -1 if it is lower, 0 if it is equal and 1 if it is higher.
    private static func comparison<Value: Comparable & Hashable>(of value: Value, with others: [Value]) -> [Int] {
        others.map { $0 < value ? -1 : $0 == value ? 0 : 1 }
    }
}
