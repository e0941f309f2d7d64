/// The events that happen without an event from outside.
extension SessionModel {
    struct Spontaneous {
        let at: Duration
        /// The event's text in a trace.
        let event: String
        let happen: (inout SessionModel) -> Void
    }

    /// The next spontaneous event, or nil if there is none.
    var next: Spontaneous? {
        guard isOn else { return nil }
        if let wakes { return Spontaneous(at: wakes, event: "awake") { $0.wake() } }
        var all: [Spontaneous] = []
        func add(_ at: Duration?, _ event: String, _ happen: @escaping (inout SessionModel) -> Void) {
            if let at { all.append(Spontaneous(at: max(now, at), event: event, happen: happen)) }
        }
        for (index, signal) in signals.enumerated() {
            add(signal.isCleared ? now : nil, "cleared \(signal.name) stuck") { $0.signals[index].isCleared = false }
            add(signal.releases, "deassert \(signal.name)") { $0.release(index) }
            let canGetStuck = signal.standing != nil && !signal.isStuck
            add(canGetStuck ? signal.stuckAfter.map { signal.began + $0 } : nil, "fault \(signal.name) stuck") {
                $0.getStuck(index)
            }
        }
        if let fault = hearing.fault {
            let isOver = hearing.obstacle != fault
            add(isOver ? now : nil, "cleared output \(fault)") { $0.hearing.fault = nil }
        } else if let obstacle = hearing.obstacle {
            add(hearing.since + .seconds(1), "fault output \(obstacle)") { $0.hearing.fault = obstacle }
        }
        for (index, player) in players.enumerated() {
            add(player.confirmsBy, "fault \(player.name) unconfirmed") { model in
                (model.players[index].confirmsBy, model.players[index].isUnconfirmed) = (nil, true)
            }
            add(player.isCleared ? now : nil, "cleared \(player.name) unconfirmed") { model in
                (model.players[index].isUnconfirmed, model.players[index].isCleared) = (false, false)
            }
        }
        add(episodeEnds, "episode ended") { model in
            model.endEpisode()
            model.move()
        }
        add(heldDuck?.until, "duck ended") { model in
            model.heldDuck = nil
            model.noteDuck()
        }
        for (index, input) in inputs.all.enumerated() {
            add(input.begins, "sounds \(input.name)") { $0.beginInput(index) }
        }
        for (index, input) in inputs.all.enumerated() {
            add(end(of: index), "silent \(input.name)") { $0.ceaseInput(index) }
        }
        add(soundEnd, "sound ended \(heard?.name ?? "")") { $0.endSound() }
        for announcement in waiting {
            add(announcement.deadline, "sound expired \(name(of: announcement))") { model in
                model.expire(announcement)
                model.move()
            }
        }
        for (index, output) in outputs.enumerated() {
            add(output.off, "output \(output.name) 0") { $0.outputs[index].turnOff() }
        }
        add(idleEnd, "idle") { $0.chooseIdlePlaylist() }
        add(trackEnd?.at, trackEnd?.event ?? "") { $0.endTrack() }
        // Of events at the same instant, the first one is returned.
        return all.min { $0.at < $1.at }
    }
}
