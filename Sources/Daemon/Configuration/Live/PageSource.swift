import AudioSession
import Evdev

/// A page, which asserts a signal while audio arrives at an input.
struct PageSource: Hashable, Sendable {
    let input: InputID

    /// The value of `Cue=` for which what arrives is the cue.
    static let cueName = "input"
}

extension PageSource: SourceKind {
    struct Keys: WrittenKeys {}

    static let name = "input"
    static let summary = "the section [Input NAME] with Role=page that Input= names, while audio arrives there"
    /// `Input=` belongs to a switch unless `Source=` says otherwise.
    static let location: [String] = []
    static let borrowed = ["Input"]
    static let keys: [Key<Keys>] = []

    static func read<Settings: WiredSettings>(
        _ section: SectionDraft<Settings>, _ title: String, _ draft: inout Draft
    ) -> PageSource? {
        let written = section.settings.source[InputSelector.self].device
        return draft.required("Input", written, of: section, title, "the NAME of a section [Input NAME]")
            .map { PageSource(input: InputID($0)) }
    }

    var description: String { "audio at \(input)" }
    var lossAdvice: String { "is the input connected? see ‘tacet inputs’" }
    var stuckAdvice: String { "check the program or device that sends the page" }
    var isProgram: Bool { true }
    /// `Attack=` and `Idle=` of the input serve the purpose of the conditioning.
    var ignored: [String] {
        ["Bias", "Complement", "Poll", "ActiveLow", "Debounce", "ReleaseDelay", "ChatterLimit", "ChatterWindow"]
    }
}
