import AudioSession
import ResumeStore

extension Supervisor {
    /// What a shell does for a supervisor. No effect may block.
    public enum Effect: Hashable, Sendable {
        /// Makes a player of the supervisor's `tracks`, `trackOrder` and `soundFiles`, and opens its device. It reads the sounds,
        /// and reports each.
        case openPlayer
        case player(PlayerOrder)
        /// Passes on the player's events as an input, before asking for the next effect.
        case takeEvents
        case muteMicrophone(Bool)
        /// Records the microphone, pauses or finishes, from the present frame of the capture device's clock on. It follows a
        /// boot, and each change.
        case record(RecordingDirective)
        /// Asserts these outputs, and no others. It precedes the order to play.
        case drive([OutputID])
        /// Saves the state; `urgently`: ahead of all other work.
        case save(SavedState, urgently: Bool)
        /// Moves a state that cannot be used out of the way of the next save, for diagnosis. A failure is an input.
        case setStateAside(StateError)
        /// Makes the list of tracks anew, with another supervisor, because another order was chosen.
        case renewList
        /// Informs followers and the journal of an event, once all its consequences have been carried out.
        case report(Report)
    }
}
