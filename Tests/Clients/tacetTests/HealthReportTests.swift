import Systemd
import Testing

@testable import tacet

/// The line and the exit code that a monitoring system reads.
@Suite struct HealthReportTests {
    private func report(_ problems: [String]) -> HealthReport {
        HealthReport(["Health": .strings(problems), "Status": .string("Playing ‘One.flac’")])
    }

    @Test func healthyExitsWith0() {
        #expect(report([]).exitCode == .done)
        #expect(report([]).line == "healthy: Playing ‘One.flac’")
        #expect(report([]).json == #"{"health":"healthy","status":"Playing ‘One.flac’","problems":[]}"#)
    }

    @Test func unhealthyExitsWith1AndListsTheProblems() {
        let report = report(["door lost", "the disk is full"])
        #expect(report.exitCode == .failed && report.line == "unhealthy: door lost; the disk is full")
        #expect(report.json == #"{"health":"unhealthy","status":null,"problems":["door lost","the disk is full"]}"#)
    }

    @Test func notRunningExitsWith69AndOneLine() throws {
        #expect(HealthReport([:]).exitCode == .notRunning)
        let nobody = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"]
        for arguments in [["health"], ["health", "--json"]] {
            let result = try Program.run(arguments, environment: nobody)
            #expect(result.code == 69 && result.errors.isEmpty)
            #expect(result.output.split(separator: "\n").count == 1, "\(result.output)")
        }
    }
}
