extension Configuration {
    /// Reads a configuration with its drop-ins; later files override earlier ones key by key.
    ///
    /// - Parameter checksLibrary: whether a library that is not there is a mistake. Its disk may also come later, or take
    ///   its time to answer: then whoever loads it finds out.
    /// - Throws: every mistake of every file at once, or why no file could be read.
    public static func load(
        _ source: ConfigurationSource, checksLibrary: Bool = true
    ) throws(ConfigurationError) -> LoadedConfiguration {
        let search = FileSearch(source)
        var draft = Draft()
        var files: [String] = []
        var diagnostics = search.problems
        for path in search.files {
            do {
                draft.add(IniDocument(bytes: try InputFile.read(path), file: path))
                files.append(path)
            } catch {
                diagnostics.append(error)
            }
        }
        let configuration = draft.finish(checksLibrary: checksLibrary)
        diagnostics = sorted(diagnostics + draft.diagnostics, by: search.files)
        guard diagnostics.allSatisfy({ $0.severity == .warning }) else {
            throw ConfigurationError(diagnostics: diagnostics)
        }
        return LoadedConfiguration(configuration: configuration, warnings: diagnostics, files: files)
    }

    /// In the order of the files, and of the lines in each; what was found of one line first stays first.
    private static func sorted(_ diagnostics: [Diagnostic], by files: [String]) -> [Diagnostic] {
        diagnostics.enumerated()
            .map { offset, diagnostic in
                (key: (files.firstIndex(of: diagnostic.file) ?? -1, diagnostic.line, offset), diagnostic)
            }
            .sorted { $0.key < $1.key }
            .map { $0.1 }
    }
}
