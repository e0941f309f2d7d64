/// The keys of a trace of `tacet simulate`, and of `Scene` and `Event` on the bus.
public enum TraceKey: String, Hashable, Sendable, CaseIterable {
    case intent, session, playing
    case gain = "gain_db"
    case volume = "volume_db"
    case microphoneMuted = "microphone_muted"
    case services, active, notifications, track, position, answer, faults, sound, waiting, outputs, recording, recorded
    case source, players
    // The following keys are used only on the bus.
    case announcement
    case soundIDs = "sound_ids"
    case cutCauses = "cut_causes"
    case orderedPlayers = "ordered_players"
    case displacedPlayers = "displaced_players"
    case quietCause = "quiet_cause"
}
