import AudioSession
import Configuration
import Supervisor
import Testing

@testable import Appliance

@Suite struct ButtonFaultTests {
    @Test func faultIsLoggedWithAdvice() throws {
        let button = Button(
            name: "b", source: .line(Wiring(line: .named("B", chip: nil))), command: .command(.play))
        let lost = ButtonFault.all(of: [ButtonPress(button, level: nil, at: .zero)])
        #expect(lost.map(\.advice) == ["button b is lost (is Line= right? see ‘tacet lines’)"])
        let fault = try #require(lost.first)
        let entry = fault.entry(because: nil)
        #expect(entry.event == .fault && entry.priority == .warning)
        #expect(entry[.button] == ["b"] && entry[.fault] == ["lost"] && entry[.signal] == [])
        #expect(
            entry.message == "The button b (B) is lost: its line or device has disappeared. It counts as not pressed.")
        #expect(fault.clearedEntry.message == "The button b (B) is no longer lost.")
    }
}
