import SoundLab
import Testing

/// tacetd and tacet-stream with a station of Icecast.
@Suite struct IcecastTests {
    @Test(.enabled(if: RealTimePriority.isAllowed))
    func icecastIsReplacedByTheLibraryWhenItsSourceStopsAndPlayedAgainAfterwards() throws {
        let icecast = try IcecastServer()
        let board = try StreamBoard()
        board.wait("icecast") { icecast.isReady }
        try icecast.broadcast()
        try board.start(url: icecast.url)
        board.wait("station") { board.inputs.contains("\"selected\"") }
        try icecast.announce(title: "First song")
        board.wait("title") { board.metadata.contains("First song") && board.metadata.contains("Test Radio") }
        // Icecast drops a source that sends nothing, and answers 404 afterwards.
        icecast.freezeBroadcast()
        board.wait("library") { !board.inputs.contains("\"selected\"") && board.metadata.contains("0.wav") }
        board.wait("fault") { board.health.contains("input radio is lost") }
        icecast.stopBroadcast()
        try icecast.broadcast()
        board.wait("station again") { board.inputs.contains("\"selected\"") && board.health.contains("as 0") }
        try icecast.announce(title: "Second song")
        board.wait("second title") { board.metadata.contains("Second song") }
    }
}
