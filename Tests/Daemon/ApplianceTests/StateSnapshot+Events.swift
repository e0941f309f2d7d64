import AudioSession
import Configuration
import Supervisor

@testable import Appliance

extension StateSnapshot {
    /// Creates the state one second after a first boot and these events, at 151 s in a track.
    init(
        after events: [Event], _ configuration: Configuration = .builtIn, track: String = "/srv/music/One.flac",
        of tracks: Int = 2
    ) {
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: tracks)), at: .zero)
        for event in events { session.handle(event, at: .seconds(1)) }
        let hasTracks = tracks > 0
        self.init(
            session: session, configuration: configuration, track: hasTracks ? track : nil,
            position: hasTracks ? .seconds(151) : nil)
    }
}

extension Configuration {
    /// Enables recording in the session.
    mutating func addRecorder() {
        session.category = .playAndRecord
        session.recorder = RecorderPolicy()
        recording = RecordingSettings()
    }
}
