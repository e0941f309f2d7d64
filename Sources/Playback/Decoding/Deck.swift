import ALSA

/// A programme from one place on, read ahead for one format: a ring and its feeder.
final class Deck {
    let format: StreamFormat
    let ring: ProgrammeRing
    let feeder: Feeder

    /// - Parameters:
    ///   - ahead: frames to read ahead.
    ///   - history: frames to keep behind what is played.
    init(format: StreamFormat, finder: TrackFinder, ahead: Int, history: Int) {
        self.format = format
        ring = ProgrammeRing(capacity: history + ahead, history: history, channels: format.channels)
        feeder = Feeder(ring: ring, rate: format.rate, finder: finder)
    }

    /// Where a ring index lies in the programme; nil before its start.
    func playhead(at index: Int) -> Playhead? {
        feeder.marks.first?.playhead(at: index, deviceRate: format.rate)
    }
}
