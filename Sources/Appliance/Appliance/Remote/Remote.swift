import AudioSession
import Playback

/// What clients on the bus see and steer: the only thing that the interfaces know of the appliance.
protocol Remote: AnyObject {
    /// What is so now; nil while there is no installation, as between two configurations.
    var view: RemoteView? { get }
    func command(_ command: Command) -> Answer
}

struct RemoteView {
    var situation: Situation
    /// Of the current track.
    var length: Duration?
    var tags: TrackTags?
    /// Path of a picture.
    var art: String?
    /// When a state was last written, by the wall clock; nil where none has been yet.
    var lastCheckpoint: Duration?
    /// Looks up the lines that the daemon holds.
    var lines: () -> [HeldLine] = { [] }

    var scene: Scene { situation.scene }
}
