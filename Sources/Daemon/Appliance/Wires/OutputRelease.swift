import AudioSession
import Configuration
import GPIO

/// Sets the lines of all outputs to their deasserted level in place of a daemon that has died. This is necessary
/// because the kernels of some boards, such as a Raspberry Pi's, keep the last level of a line that is no longer held.
public enum OutputRelease {
    /// Requests each line with its deasserted level and releases it.
    ///
    /// The configurations are the one with which the daemon would start and the last one that worked, because the dead
    /// daemon may have run with either. A line that a running daemon holds is not affected.
    /// - Returns: The reasons why lines could not be driven, for people.
    /// - Throws: The configuration's mistakes, if no other configuration has worked yet.
    public static func run(_ source: ConfigurationSource) throws(ConfigurationError) -> [String] {
        try run(source, LineWriter(consumer: "tacet", advice: Wiring.advice))
    }

    static func run(
        _ source: ConfigurationSource, _ writer: LineWriter<OutputID>,
        serviceDirectory: String? = ConfigurationKeeper.serviceDirectory
    ) throws(ConfigurationError) -> [String] {
        let starting = try StartingConfiguration(source, isStrict: false, serviceDirectory: serviceDirectory)
        let outputs = starting.loaded.configuration.outputs
        let former = StartingConfiguration.lastThatWorked(source, serviceDirectory: serviceDirectory)?.configuration
            .outputs.filter { !outputs.contains($0) }
        // The lines of the two configurations are released one after the other, because the configurations may use the
        // same name for different lines.
        return release(former ?? [], writer) + release(outputs, writer)
    }

    private static func release(_ outputs: [Output], _ writer: LineWriter<OutputID>) -> [String] {
        writer.change(to: outputs.compactMap(DrivenLine.init))
        return outputs.compactMap { output in
            writer.problems[output.policy.id].map { "output \(output.policy.id): \($0)" }
        }
    }
}
