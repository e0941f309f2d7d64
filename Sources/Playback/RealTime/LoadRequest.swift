import ALSA

/// A wish for a deck.
struct LoadRequest: Sendable {
    let number: Int
    let track: Int
    let position: Duration
    let direction: SearchDirection
    let format: StreamFormat
}
