import SoundLab

/// Kills and restarts the sound server.
enum DeathBench {
    /// Measures Tacet's player, which rebuilds the engine and continues, as the supervisor does.
    /// - Returns: The frames lost (more than 0) or repeated (less than 0) by each death. They are accurate to a few
    ///   milliseconds, because the monitor receives frames before they are audible, and frames that have not reached
    ///   the recording are missing from it.
    static func run(_ count: Int, on rig: SoundRig) throws -> [Double] {
        let player = try TacetPlayer([rig.numbers], on: rig, fadeIn: 0, fadeOut: 60)
        defer { player.quit() }
        var recording = try Recording(rig.server)
        var last: NumberedRun?
        var lost: [Double] = []
        for turn in 0...count {
            try recording.waitForSound()
            try SoundRig.sleep(.milliseconds(500 + turn * 37 % 101))
            if turn < count { try restart(rig) }
            let runs = NumberedRun.all(in: recording.finish())
            if let last, let first = runs.first { lost.append(Double(first.number - last.next)) }
            last = runs.last
            guard turn < count else { break }
            recording = try Recording(rig.server)
            rig.linkServer()
        }
        return lost
    }

    /// Restarts the server and leaves it unlinked, so that the recording can begin before anything is played.
    private static func restart(_ rig: SoundRig) throws {
        rig.unlinkServer()
        rig.server.die()
        try rig.server.start()
    }

    /// - Returns: A description of MPD's behaviour.
    static func watchMPD(on rig: SoundRig) throws -> String {
        let player = try MPDPlayer([rig.numbers], on: rig)
        defer { player.quit() }
        try SoundRig.sleep(.seconds(1))
        try restart(rig)
        let recording = try Recording(rig.server)
        rig.linkServer()
        try SoundRig.sleep(.seconds(15))
        let state = try player.status("state") ?? "nothing"
        let error = try player.status("error") ?? "none"
        let frames = recording.frames
        let heard = recording.finish().contains { $0 != 0 }
        let outcome = heard ? "heard again" : "not heard"
        return "\(outcome) within \(frames / SoundRig.rate) s; state: \(state), error: \(error)"
    }
}
