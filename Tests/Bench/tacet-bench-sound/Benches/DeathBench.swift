import SoundLab

/// The sound server is killed and restarted.
enum DeathBench {
    /// Tacet's player does what the supervisor does: it rebuilds the engine and continues.
    /// - Returns: frames lost (more than 0) or repeated (less than 0) by each death, accurate to a few milliseconds:
    ///   the monitor receives what the sink renders before it is heard, and whatever was still on its way to the
    ///   recording is missing there.
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

    /// Leaves the server unlinked, so that the recording can begin before anything is played.
    private static func restart(_ rig: SoundRig) throws {
        rig.unlinkServer()
        rig.server.die()
        try rig.server.start()
    }

    /// - Returns: what MPD does, in words.
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
