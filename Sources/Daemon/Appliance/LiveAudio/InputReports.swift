import AudioSession
import Configuration
import Spelling

/// What is known about the inputs apart from the arrival of audio. This type is pure.
struct InputReports {
    /// What plays at an input, as its helper has reported it. Both texts may be empty.
    struct Programme: Hashable {
        var title = ""
        var artist = ""
    }

    private var programmes: [InputID: Programme] = [:]
    /// The problems of pipes, and those that helpers have reported.
    private var pipes: [InputID: String] = [:]
    private var helpers: [InputID: String] = [:]

    /// The longest text that is kept, in bytes.
    static let longestText = 300

    subscript(input: InputID) -> Programme? { programmes[input] }

    /// The problem of an input, or nil if there is none. Without a pipe, no audio of the helper could arrive.
    func problem(of input: InputID) -> String? { pipes[input] ?? helpers[input] }

    mutating func take(pipe problem: String?, of input: InputID) { pipes[input] = problem }

    /// Takes a report of a helper, whose texts come from strangers.
    /// - Parameter problem: an empty text if the stream works.
    mutating func take(title: String, artist: String, problem: String, of input: InputID) {
        let programme = Programme(title: Self.text(title), artist: Self.text(artist))
        programmes[input] = programme == Programme() ? nil : programme
        helpers[input] = problem.isEmpty ? nil : Self.text(problem)
    }

    private static func text(_ text: String) -> String { text.visible(limit: longestText) }

    /// Keeps the reports of the predecessor about streams that have stayed the same, because their helper repeats only
    /// what has changed.
    mutating func resume(after predecessor: InputReports, _ former: [InputSettings], _ inputs: [InputSettings]) {
        for input in inputs {
            guard case .stream(let url) = input.origin,
                former.contains(where: { $0.id == input.id && $0.origin == .stream(url) })
            else { continue }
            programmes[input.id] = predecessor.programmes[input.id]
            helpers[input.id] = predecessor.helpers[input.id]
        }
    }
}
