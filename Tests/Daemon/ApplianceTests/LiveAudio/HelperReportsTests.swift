import AudioSession
import Configuration
import Testing

@testable import Appliance

@Suite struct HelperReportsTests {
    private static func configuration(_ url: String = "http://a/", socket: String = "/run/a") throws -> Configuration {
        let text = """
            [Input radio]
            From=stream:\(url)
            [Input desk]
            From=pipe:/run/desk
            [Player mpd]
            MPD=\(socket)

            """
        return try ConfigurationAttempt([ConfigurationText(path: "tacet.conf", bytes: Array(text.utf8))]).get()
            .configuration
    }

    private static let radio = Fault(input: "radio")
    private static let mpd = Fault(player: "mpd", .lost)

    private func problems(
        _ reports: HelperReports, _ configuration: Configuration? = nil, missing: [Helper] = []
    ) throws -> [Fault: String] {
        let used = if let configuration { configuration } else { try Self.configuration() }
        return reports.problems(used) { missing.contains($0) }
    }

    @Test func problemOfThePipeComesBeforeThatOfTheStream() throws {
        var reports = HelperReports()
        reports.take(title: "", artist: "", problem: "the server is gone", of: "radio")
        reports.take(pipe: "the pipe is a file", of: "radio")
        #expect(try problems(reports) == [Self.radio: "the pipe is a file"])
        reports.take(pipe: nil, of: "radio")
        #expect(try problems(reports) == [Self.radio: "the server is gone"])
        reports.take(title: "Song", artist: "", problem: "", of: "radio")
        #expect(try problems(reports) == [:] && reports["radio"]?.title == "Song")
    }

    @Test func inputThatIsPlayedButNotHeardIsAProblem() throws {
        var reports = HelperReports()
        reports.take(isHeard: false, of: "desk")
        let desk = Fault(input: "desk")
        #expect(try problems(reports).keys == [desk: ""].keys)
        reports.take(pipe: "the pipe is a file", of: "desk")
        #expect(try problems(reports) == [desk: "the pipe is a file"])
        reports.take(pipe: nil, of: "desk")
        reports.take(isHeard: true, of: "desk")
        #expect(try problems(reports) == [:])
    }

    @Test func missingHelperIsTheProblemOfEverythingThatNeedsIt() throws {
        var reports = HelperReports()
        reports.take(problem: "it refuses the password", of: "mpd")
        #expect(try problems(reports) == [Self.mpd: "it refuses the password"])
        let all = try problems(reports, missing: [.players, .streams])
        #expect(all.keys.sorted() == [Self.radio, Self.mpd].sorted())
        #expect(all[Self.mpd]?.hasPrefix("tacet-players is not running") == true)
        #expect(all[Self.radio]?.hasPrefix("tacet-stream is not running") == true)
        reports.take(problem: "", of: "mpd")
        #expect(try problems(reports) == [:])
    }

    @Test func textsAreBoundedAndVisible() throws {
        var reports = HelperReports()
        let long = String(repeating: "ä", count: 1000)
        reports.take(title: "a\u{1b}[2J\nb\u{202e}", artist: long, problem: long, of: "radio")
        reports.take(problem: long, of: "mpd")
        let programme = try #require(reports["radio"])
        #expect(programme.title == "a\\x1b[2J\\x0ab\\x202e", "\(programme.title)")
        #expect(programme.artist.utf8.count <= 300)
        for problem in try problems(reports).values { #expect(problem.utf8.count <= 300) }
    }

    @Test func reloadKeepsTheReportsOfWhatHasStayedTheSame() throws {
        var former = HelperReports()
        former.take(title: "Song", artist: "", problem: "late", of: "radio")
        former.take(pipe: "broken", of: "radio")
        former.take(problem: "no permission", of: "mpd")
        let before = try Self.configuration()
        var same = HelperReports()
        same.resume(after: former, before, try Self.configuration())
        #expect(try problems(same) == [Self.radio: "late", Self.mpd: "no permission"])
        #expect(same["radio"]?.title == "Song")
        let moved = try Self.configuration("http://b/", socket: "/run/b")
        var other = HelperReports()
        other.resume(after: former, before, moved)
        #expect(try problems(other, moved) == [:] && other["radio"] == nil)
    }
}

@Suite struct HelperWatchTests {
    private static let patience = HelperWatch.patience

    @Test func helperIsMissingOnlyAfterAWhile() {
        let watch = HelperWatch(at: .zero)
        #expect(watch.deadline(after: .zero) == Self.patience)
        #expect(!watch.isMissing(.players, at: Self.patience - .nanoseconds(1)))
        #expect(watch.isMissing(.players, at: Self.patience) && watch.deadline(after: Self.patience) == nil)
    }

    @Test func restartOfAHelperIsNotNoticed() {
        let watch = HelperWatch(at: .zero)
        var changes = 0
        watch.onChange = { changes += 1 }
        watch.reported(.players, by: ":1.1")
        watch.reported(.players, by: ":1.1")
        watch.reported(.streams, by: ":1.2")
        #expect(changes == 2 && watch.connections.sorted() == [":1.1", ":1.2"])
        #expect(watch.deadline(after: .zero) == nil && !watch.isMissing(.players, at: .seconds(3600)))
        watch.left(":1.1", at: .seconds(3600))
        #expect(changes == 3 && watch.deadline(after: .seconds(3600)) == .seconds(3600) + Self.patience)
        watch.reported(.players, by: ":1.3")
        watch.left(":1.1", at: .seconds(3700))
        #expect(!watch.isMissing(.players, at: .seconds(9999)) && watch.connections.contains(":1.3"))
    }

    @Test func lossOfTheBusIsTheLossOfAllHelpers() {
        let watch = HelperWatch(at: .zero)
        watch.reported(.players, by: ":1.1")
        watch.leaveBus(at: .seconds(60))
        #expect(watch.connections == [] && watch.isMissing(.players, at: .seconds(60) + Self.patience))
    }
}
