import AudioSession
import Configuration
import Testing

@Suite struct ButtonKeyTests {
    private func button(_ keys: String) throws -> Button {
        let folder = try TemporaryFolder()
        let sounds = "[Sound gong]\nFile=gong.wav\n"
        let file = try folder.write("tacet.conf", sounds + "[Button b]\nLine=B\nCommand=playPause\n" + keys)
        let buttons = try Configuration.load(.file(file), checksLibrary: false).configuration.buttons
        return try #require(buttons.first)
    }

    @Test func eachKindOfPressHasItsCommand() throws {
        let plain = try button("")
        #expect(plain.commands == [.command(.playPause)] && plain.longPress == .milliseconds(600))
        let all = try button("LongCommand=stop\nLongPress=1s\nDoubleCommand=volume -3dB\n")
        #expect(all.command(of: .short) == .command(.playPause) && all.command(of: .long) == .command(.stop))
        #expect(all.command(of: .double) == .changeVolume(decibels: -3) && all.longPress == .seconds(1))
        #expect(all.commands.count == 3)
    }

    @Test func announcementCanHaveItsOwnPriorityAndTime() throws {
        let written = try button("LongCommand=announce gong --priority 80 --expire=5s\n").longCommand
        #expect(
            written == .command(.announce(Announcement("gong", priority: 80, expire: .after(.seconds(5))))))
    }

    @Test(arguments: [
        ("LongCommand=leap", "LongCommand=leap is not a command"),
        ("DoubleCommand=announce bell", "DoubleCommand=announce bell: there is no sound ‘bell’"),
        ("LongPress=20ms", "LongPress=20ms is out of range"),
        ("LongCommand=announce gong --priority 101", "is not valid, because ‘101’ is not a priority"),
        ("LongCommand=announce gong --expire soon", "is not valid, because ‘soon’ is not a time"),
        ("LongCommand=announce gong --priority", "is not valid, because ‘--priority’ has no value"),
        ("LongCommand=announce gong --file a.wav", "is not valid, because ‘--file’ is not an option here"),
        (
            "LongCommand=announce gong --priority 1 --priority 2",
            "is not valid, because ‘--priority’ is given twice"
        ),
    ]) func mistakesNameTheLine(line: String, problem: String) throws {
        let sounds = "[Sound gong]\nFile=/dev/null\n"
        let found = try diagnose(sounds + "[Button b]\nLine=B\nCommand=play\n" + line)
        #expect(found.count == 1 && found.first?.hasPrefix("6: error: ") == true, "\(found)")
        #expect(found.first?.contains(problem) == true, "\(found)")
    }

    @Test func settingsWithoutEffectCauseAWarning() throws {
        let button = "[Button b]\nLine=B\nCommand=play\n"
        #expect(
            try diagnose(button + "LongPress=2s") == [
                "4: warning: LongPress= in [Button b] is ignored because the button has no command for a long press (write LongCommand=, or remove it)"
            ])
        #expect(
            try diagnose(button + "LongCommand=stop\nReleaseDelay=600ms") == [
                "5: warning: ReleaseDelay= in [Button b] is not shorter than LongPress=, so every press is a long one (remove it, or write a longer LongPress=)"
            ])
        #expect(
            try diagnose(button + "DoubleCommand=stop\nReleaseDelay=1s") == [
                "5: warning: ReleaseDelay= in [Button b] is not shorter than the time of a double press, so there are no double presses (remove it, or write less than 400ms)"
            ])
        #expect(try diagnose(button + "LongCommand=stop\nDoubleCommand=next\nReleaseDelay=100ms") == [])
    }

    /// Only buttons and scenarios take the options, because the bus limits the priorities of a fleet.
    @Test func commandsFromElsewhereTakeNoOptions() {
        #expect(throws: CommandError.self) { try WrittenCommand.parse("announce gong --priority 80") }
    }
}
