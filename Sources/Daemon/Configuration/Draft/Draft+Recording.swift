import AudioSession

extension Draft {
    /// Adds the recorder if a file names its section.
    mutating func addRecording(to configuration: inout Configuration) {
        guard let declared = recording.declared, recording.settings.isEnabled else { return }
        var settings = recording.settings.settings
        if let place = recording.places["Directory"] {
            settings.directory = Draft.resolve(settings.directory, from: place)
        }
        configuration.recording = settings
        configuration.session.recorder = RecorderPolicy(
            autoRecord: recording.settings.autoRecord, during: recording.settings.during)
        let category = configuration.session.category
        guard !category.records else { return }
        report(
            .warning, main.places["Category"] ?? declared,
            "[Recording] is ignored because the category \(category.rawValue) does not record",
            "write Category=playAndRecord or Category=record in [Session], or remove the section")
    }
}
