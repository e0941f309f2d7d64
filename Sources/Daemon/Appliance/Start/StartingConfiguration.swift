import Configuration
import Glibc

/// The configuration with which the daemon starts. This is the configuration on the disk or, if that contains mistakes,
/// the last one that worked, so that the appliance starts in any case.
struct StartingConfiguration {
    let loaded: LoadedConfiguration
    /// The reason why the configuration on the disk is not used, or nil if it is used.
    let fallbackConfiguration: FallbackConfiguration?

    /// Reads files, and blocks for as long as the disk does.
    ///
    /// - Parameters:
    ///   - isStrict: True to reject a configuration with mistakes even if another one has worked before.
    ///   - serviceDirectory: The state folder according to the service manager, or nil if there is none. It is needed
    ///     if the mistakes hide the setting of the state folder.
    /// - Throws: The mistakes, if no other configuration can be used.
    init(
        _ source: ConfigurationSource, isStrict: Bool, serviceDirectory: String? = ConfigurationKeeper.serviceDirectory
    ) throws(ConfigurationError) {
        let attempt = ConfigurationAttempt(source, checksLibrary: false)
        let mistakes: ConfigurationError
        do throws(ConfigurationError) {
            (loaded, fallbackConfiguration) = (try attempt.get(), nil)
            return
        } catch { mistakes = error }
        guard !isStrict else { throw mistakes }
        var others: [Diagnostic] = []
        for directory in ConfigurationKeeper.directories(attempt.stateDirectory, serviceDirectory) {
            do {
                guard let kept = try StartingConfiguration.kept(in: directory, of: source) else { continue }
                (loaded, fallbackConfiguration) = (
                    kept.loaded, FallbackConfiguration(time: kept.time, cause: .mistakes(mistakes))
                )
                return
            } catch { others.append(error) }
        }
        throw ConfigurationError(diagnostics: mistakes.diagnostics + others)
    }

    /// Returns the last configuration that worked, or nil if none is known.
    static func lastThatWorked(_ source: ConfigurationSource, serviceDirectory: String?) -> LoadedConfiguration? {
        let attempt = ConfigurationAttempt(source, checksLibrary: false)
        for directory in ConfigurationKeeper.directories(attempt.stateDirectory, serviceDirectory) {
            if let found = try? Self.kept(in: directory, of: source) { return found.loaded }
        }
        return nil
    }

    /// - Returns: The configuration, or nil if the folder does not contain a kept one.
    /// - Throws: The reason why the kept configuration cannot be used.
    private static func kept(
        in directory: String, of source: ConfigurationSource
    ) throws(Diagnostic) -> (loaded: LoadedConfiguration, time: Duration)? {
        let path = KeptConfiguration.path(in: directory, of: source)
        func unusable(_ why: String) -> Diagnostic {
            Diagnostic(.error, file: path, "the last configuration that worked cannot be used instead: \(why)")
        }
        let kept: KeptConfiguration
        do {
            guard let read = try KeptConfiguration.read(from: directory, of: source) else { return nil }
            kept = read
        } catch { throw unusable("\(error)") }
        guard kept.source == source.absolute else {
            throw unusable("it was read from \(kept.texts.first?.path ?? "other files")")
        }
        do throws(ConfigurationError) { return (try kept.load(), kept.time) } catch {
            throw unusable("this version finds mistakes in it, \(error.diagnostics.first.map { "\($0)" } ?? "")")
        }
    }
}
