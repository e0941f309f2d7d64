extension Configuration {
    /// Reads a configuration with its drop-ins; later files override earlier ones key by key.
    ///
    /// - Parameter checksLibrary: whether a missing library is an error. Its disk may also be mounted later, or take its
    ///   time to answer: then the loader of the library reports it.
    /// - Throws: every mistake of every file at once, or why no file could be read.
    public static func load(
        _ source: ConfigurationSource, checksLibrary: Bool = true
    ) throws(ConfigurationError) -> LoadedConfiguration {
        try ConfigurationAttempt(source, checksLibrary: checksLibrary).get()
    }
}
