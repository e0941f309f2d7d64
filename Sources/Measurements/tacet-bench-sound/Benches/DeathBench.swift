import SoundLab

/// The sound server is killed, and started again.
enum DeathBench {
    /// Tacet's player does what the supervisor does: rebuilds, and plays on.
    /// - Returns: frames lost (more than 0) or repeated (less) by each death. It is told to a few milliseconds: the
    ///   monitor is given what the sink renders before that is heard, and what was on its way to the recording is not in
    ///   it.
    static func run(_ count: Int, on stage: Stage) throws -> [Double] {
        let peer = try TacetPeer([stage.numbers], on: stage, fadeIn: 0, fadeOut: 60)
        defer { peer.quit() }
        var recording = try Recording(stage.server)
        var last: NumberedRun?
        var lost: [Double] = []
        for turn in 0...count {
            try recording.waitForSound()
            try Stage.pass(.milliseconds(500 + turn * 37 % 101))
            if turn < count { try restart(stage) }
            let runs = NumberedRun.all(in: recording.finish())
            if let last, let first = runs.first { lost.append(Double(first.number - last.next)) }
            last = runs.last
            guard turn < count else { break }
            recording = try Recording(stage.server)
            stage.openDoor()
        }
        return lost
    }

    /// The door stays shut, for the recording to begin before anything is played.
    private static func restart(_ stage: Stage) throws {
        stage.shutDoor()
        stage.server.die()
        try stage.server.start()
    }

    /// What MPD does, in words.
    static func watchMPD(on stage: Stage) throws -> String {
        let peer = try MPDPeer([stage.numbers], on: stage)
        defer { peer.quit() }
        try Stage.pass(.seconds(1))
        try restart(stage)
        let recording = try Recording(stage.server)
        stage.openDoor()
        try Stage.pass(.seconds(15))
        let state = try peer.status("state") ?? "nothing"
        let error = try peer.status("error") ?? "none"
        let frames = recording.frames
        let heard = recording.finish().contains { $0 != 0 }
        return
            "\(heard ? "heard again" : "not heard") within \(frames / Stage.rate) s; state: \(state), error: \(error)"
    }
}
