import AudioSession
import Configuration
import Testing

@testable import Appliance

@Suite struct InputReportsTests {
    @Test func problemOfThePipeComesBeforeThatOfTheStream() {
        var reports = InputReports()
        reports.take(title: "", artist: "", problem: "the server is gone", of: "radio")
        reports.take(pipe: "the pipe is a file", of: "radio")
        #expect(reports.problem(of: "radio") == "the pipe is a file" && reports.problem(of: "other") == nil)
        reports.take(pipe: nil, of: "radio")
        #expect(reports.problem(of: "radio") == "the server is gone")
        reports.take(title: "Song", artist: "", problem: "", of: "radio")
        #expect(reports.problem(of: "radio") == nil && reports["radio"]?.title == "Song")
    }

    @Test func textsAreBoundedAndVisible() throws {
        var reports = InputReports()
        let long = String(repeating: "ä", count: 1000)
        reports.take(title: "a\u{1b}[2J\nb\u{202e}", artist: long, problem: long, of: "radio")
        let programme = try #require(reports["radio"])
        #expect(programme.title == "a\\x1b[2J\\x0ab\\x202e", "\(programme.title)")
        #expect(programme.artist.utf8.count <= 300 && reports.problem(of: "radio")?.utf8.count ?? 999 <= 300)
    }

    @Test func reloadKeepsTheReportsOfAStreamThatIsTheSame() throws {
        func input(_ name: InputID, _ url: String) throws -> InputSettings {
            InputSettings(InputPolicy(id: name, role: .programme), from: .stream(try StreamURL(url)))
        }
        var former = InputReports()
        for name in ["same", "moved"] as [InputID] {
            former.take(title: "Song", artist: "", problem: "late", of: name)
            former.take(pipe: "broken", of: name)
        }
        var reports = InputReports()
        reports.resume(
            after: former, [try input("same", "http://a/"), try input("moved", "http://a/")],
            [try input("same", "http://a/"), try input("moved", "http://b/")])
        #expect(reports["same"]?.title == "Song" && reports.problem(of: "same") == "late")
        #expect(reports["moved"] == nil && reports.problem(of: "moved") == nil)
    }
}
