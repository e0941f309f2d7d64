import AudioSession
import Configuration
import GPIO

/// Sets the lines of all outputs to their deasserted level, in place of a daemon that has died: the kernels of some boards,
/// such as a Raspberry Pi's, keep the last level of a line that nobody holds any more.
public enum OutputRelease {
    /// Requests each line with its deasserted level, and releases it.
    ///
    /// The configuration is the one with which the daemon would start. A line that a running daemon holds is not affected.
    /// - Returns: why lines could not be driven, for people.
    /// - Throws: the configuration's mistakes, if no other configuration has worked yet.
    public static func run(_ source: ConfigurationSource) throws(ConfigurationError) -> [String] {
        try run(source, LineWriter(consumer: "tacet"))
    }

    static func run(_ source: ConfigurationSource, _ writer: LineWriter<OutputID>) throws(ConfigurationError)
        -> [String]
    {
        let outputs = try StartingConfiguration(source, isStrict: false).loaded.configuration.outputs
        writer.change(to: outputs.compactMap(DrivenLine.init))
        return outputs.compactMap { output in
            writer.problems[output.policy.id].map { "output \(output.policy.id): \($0)" }
        }
    }
}
