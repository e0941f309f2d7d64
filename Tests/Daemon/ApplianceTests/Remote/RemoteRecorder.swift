import AudioSession
import Playback

@testable import Appliance
@testable import Systemd

/// An appliance that records what its interfaces request.
final class RemoteRecorder: Remote {
    var view: RemoteView?
    var commands: [Command] = []
    var choices: [(repeats: Policy.Repeat?, shuffle: Bool?)] = []

    func setModes(repeats: Policy.Repeat?, shuffle: Bool?) { choices.append((repeats, shuffle)) }

    var requests: [ChoiceRequest] = []
    var answer = Answer.success

    func listTracks(matching text: String, from first: Int, then: @escaping (Library.Names?, Duration) -> Void) {
        then(text == "busy" ? nil : Library.Names(names: ["\(text) \(first)"], count: 7), .milliseconds(5))
    }
    func choose(_ request: ChoiceRequest, then: @escaping (Answer) -> Void) {
        requests.append(request)
        then(answer)
    }

    func command(_ command: Command) -> Answer {
        commands.append(command)
        return .success
    }

    func announce(
        _ announcement: Announcement, file: String?, level: Level,
        then: @escaping (Answer, Announcement.ID) -> Void
    ) { then(.noSuchContent, 0) }
    func report(_ player: PlayerID, _ report: PlayerReport, isOwn: Bool, after order: UInt64) throws(BusError) {}

    func report(_ player: PlayerID, problem: String) throws(BusError) {}
    func lastOrder(to player: PlayerID) -> UInt64 { 0 }
    func report(
        _ input: InputID, title: String, artist: String, problem: String
    ) throws(BusError) -> (url: String, pipe: String) { ("", "") }

    func set(_ signal: SignalID, asserted: Bool, lease: ProgramLevels.Lease?) -> Answer { .success }
    func setPrefersNoInterruptionsFromSystemAlerts(_ isPreferred: Bool) {}
}
