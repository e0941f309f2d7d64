import AudioSession
import Configuration
import Foundation
import Testing

@Suite("A file is read as it stands, or refused with its line")
struct ParsingTests {
    @Test("Comments, blank lines, indentation and spaces around = are no matter")
    func layout() throws {
        let loaded = try load(
            """
            # a comment
            ; another
               [Playback]\t

              FadeOut  =  1s\u{20}
            \tFadeIn=2s
              # indented
            [Session]
            Mode=spokenAudio
            """)
        #expect(loaded.configuration.playback.fadeOut == .seconds(1))
        #expect(loaded.configuration.playback.fadeIn == .seconds(2))
        #expect(loaded.configuration.session.mode == .spokenAudio)
        #expect(loaded.warnings == [])
    }

    @Test("CRLF, a byte order mark and a missing last line end are no matter")
    func windows() throws {
        let loaded = try load("\u{FEFF}[Playback]\r\nFadeOut=1s\r\nDevice=hw:0")
        #expect(loaded.configuration.playback.fadeOut == .seconds(1))
        #expect(loaded.configuration.playback.device == "hw:0")
    }

    @Test("A value may contain = : ; # and non-ASCII letters")
    func values() throws {
        let loaded = try load("[Playback]\nDevice=hw:CARD=Ö;1#2,DEV=0")
        #expect(loaded.configuration.playback.device == "hw:CARD=Ö;1#2,DEV=0")
        #expect(loaded.warnings == [])
    }

    @Test("There are no comments behind values; what looks like one is said to be none")
    func comments() throws {
        #expect(
            try diagnose("[Playback]\nFadeOut=1s ; slow\nFadeIn=x # y\nDevice=a ;b") == [
                "2: error: FadeOut=1s ; slow is no time (a comment needs a line of its own)",
                "3: error: FadeIn=x # y is no time (write a time from 0s to 10s, such as 30ms, 5s or 2min)",
                "4: warning: Device=a ;b is the value as a whole (if that is meant as a comment, it needs a line of its own)",
            ])
        #expect(try load("[Playback]\nDevice=a ;b").configuration.playback.device == "a ;b")
    }

    @Test("What is no setting is an error, every time")
    func noSetting() throws {
        #expect(
            try diagnose("[Playback]\nDevice\nShuffle\n=1s\nFadeIn: 2s\nFade:In=2s\nRepeat") == [
                "2: error: this is no setting (write Key=value, or # in front of a comment)",
                "3: error: this is no setting (write Key=value, or # in front of a comment)",
                "4: error: there is no key in front of ‘=’ (write Key=value)",
                "5: error: ‘:’ does not set a key (write Key=value)",
                "6: error: ‘:’ does not set a key (write Key=value)",
                "7: error: this is no setting (write Key=value, or # in front of a comment)",
            ])
    }

    @Test("A line is not continued: not by a backslash, not by indentation")
    func continuation() throws {
        #expect(
            try diagnose("[Playback]\nDevice=a\\\nFadeIn=1s\n  2s") == [
                "2: error: a backslash does not continue a line (write the whole value on one line)",
                "4: error: this is no setting (write Key=value, or # in front of a comment)",
            ])
    }

    @Test("A heading that cannot be read is one error; what follows it is not judged")
    func headings() throws {
        let problem =
            "error: this is no section heading (write nothing after [Section]; a comment needs a line of its own)"
        #expect(
            try diagnose("[Playback\nFadeIn=nonsense\n[Session] ; x\nMode=nonsense\n[State]]\n[State]\nInterval=1s")
                == [
                    "1: \(problem)", "3: \(problem)", "5: \(problem)",
                ])
    }

    @Test("A setting in front of any section is an error that knows where it belongs")
    func noSection() throws {
        #expect(
            try diagnose("FadeIn=1s\nDebounce=1s\nX=1") == [
                "1: error: FadeIn= stands in front of any section (it belongs in [Playback])",
                "2: error: Debounce= stands in front of any section (it belongs in [Signal NAME] or [Button NAME])",
                "3: error: X= stands in front of any section (write a section heading above it)",
            ])
    }

    @Test("NUL and control characters and text that is not UTF-8 are errors, in comments too")
    func bytes() throws {
        var data = Data("[Playback]\nDevice=a\0b\n# \u{1}\nDevice=".utf8)
        data += [0xE4, 0x0A] + Data("FadeIn=1s\rFadeOut=1s\n".utf8)
        #expect(
            try diagnose(data) == [
                "2: error: there is a NUL byte in this line (configuration files are plain text in UTF-8)",
                "3: error: there is the control character 1 in this line (configuration files are plain text in UTF-8)",
                "4: error: this line is not valid UTF-8 (save the file as UTF-8)",
                "5: error: there is the control character 13 in this line (configuration files are plain text in UTF-8)",
            ])
    }

    @Test("A long value is whole, an over-long line is an error: nothing is cut")
    func length() throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "n/", count: 1900) + "."
        let file = try folder.write("tacet.conf", "[State]\nDirectory=/\(name)\n[Playback]\nFadeIn=1s")
        #expect(try Configuration.load(.file(file)).configuration.state.directory == "/\(name)")
        let long = "Directory=" + String(repeating: "x", count: 5000)
        #expect(
            try diagnose("[State]\n\(long)\nInterval=1s\nInterva=1s") == [
                "2: error: this line has 5010 bytes (at most 4198 are allowed)",
                "4: error: unknown key ‘Interva’ in [State] (did you mean ‘Interval’?)",
            ])
        let key = String(repeating: "k", count: 300)
        #expect(try diagnose("[State]\n\(key)=1").first?.hasPrefix("2: error: unknown key ‘\(key)’ in [State]") == true)
    }

    @Test("An empty file says nothing")
    func empty() throws {
        #expect(try load("").configuration == .builtIn)
    }
}
