/// The result of reading a configuration, with or without mistakes.
public struct ConfigurationAttempt: Sendable {
    /// The configuration built from every setting that could be read. It must not be used if the diagnostics include an
    /// error.
    private let configuration: Configuration
    private let diagnostics: [Diagnostic]
    private let texts: [ConfigurationText]
    private let places: KeyPlaces

    /// Reads the files of a source and their drop-ins.
    ///
    /// - Parameter checksLibrary: True if a missing library is an error and a missing sound file a warning.
    public init(_ source: ConfigurationSource, checksLibrary: Bool = true) {
        let search = FileSearch(source)
        var problems = search.problems
        var texts: [ConfigurationText] = []
        for path in search.files {
            do {
                texts.append(ConfigurationText(path: path, bytes: try InputFile.read(path)))
            } catch {
                problems.append(error)
            }
        }
        self.init(texts, problems: problems, order: search.files, checksLibrary: checksLibrary)
    }

    /// Reads texts in order. A later one overrides an earlier one key by key.
    public init(_ texts: [ConfigurationText]) {
        self.init(texts, problems: [], order: texts.map(\.path), checksLibrary: false)
    }

    private init(_ texts: [ConfigurationText], problems: [Diagnostic], order: [String], checksLibrary: Bool) {
        var draft = Draft()
        for text in texts { draft.add(IniDocument(bytes: text.bytes, file: text.path)) }
        configuration = draft.finish(checksLibrary: checksLibrary)
        places = draft.places
        diagnostics = ConfigurationAttempt.sorted(problems + draft.diagnostics.all, by: order)
        self.texts = texts
    }

    /// - Throws: All mistakes in all files at once, or the reason why no file could be read.
    public func get() throws(ConfigurationError) -> LoadedConfiguration {
        guard diagnostics.allSatisfy({ $0.severity == .warning }) else {
            throw ConfigurationError(diagnostics: diagnostics)
        }
        return LoadedConfiguration(configuration: configuration, warnings: diagnostics, texts: texts, places: places)
    }

    /// The state directory, which is derived from every setting that could be read.
    public var stateDirectory: String { configuration.state.directory }

    /// Sorts diagnostics by file and line. Those of the same line keep their order.
    private static func sorted(_ diagnostics: [Diagnostic], by files: [String]) -> [Diagnostic] {
        diagnostics.enumerated()
            .map { offset, diagnostic in
                (key: (files.firstIndex(of: diagnostic.file) ?? -1, diagnostic.line, offset), diagnostic)
            }
            .sorted { $0.key < $1.key }
            .map { $0.1 }
    }
}
