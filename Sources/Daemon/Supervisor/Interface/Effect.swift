import AudioSession
import ResumeStore

extension Supervisor {
    /// An action that a shell carries out for a supervisor. No effect may block.
    public enum Effect: Hashable, Sendable {
        /// Creates a player with the supervisor's `tracks`, `trackOrder` and `soundFiles`, and opens its device. The
        /// player reads the sounds and reports each.
        case openPlayer
        case player(PlayerOrder)
        /// Passes the player's events to the supervisor as an input before it asks for the next effect.
        case takeEvents
        /// Orders another program that plays by itself to do this.
        case command(PlayerID, PlayerCommand)
        case muteMicrophone(Bool)
        /// Starts, pauses or finishes recording from the microphone at the current frame of the capture device's clock.
        /// This effect follows each boot and each change.
        case record(RecordingDirective)
        /// Asserts these outputs and no others. This effect precedes the order to play.
        case drive([OutputID])
        /// Saves the state, ahead of all other work if `urgently` is true.
        case save(SavedState, urgently: Bool)
        /// Moves a state that cannot be used out of the way of the next save and keeps it for diagnosis. If this fails,
        /// the shell reports it with an input.
        case setStateAside(StateError)
        /// Finds the tracks of `IdlePlaylist=`, and passes them to the supervisor as an input.
        case findIdleTracks(ChoiceRequest)
        /// Creates the list of tracks anew, together with another supervisor, because another order was chosen.
        case renewList
        /// Informs followers and the journal of an event after all its consequences have been carried out.
        case report(Report)
    }
}
