import AudioSession
import Configuration
import Foundation
import Testing

@Suite("A file is parsed exactly, or rejected with the line")
struct ParsingTests {
    @Test("Comments, blank lines, indentation and spaces around = are ignored")
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

    @Test("CRLF, a byte order mark and a missing final newline are accepted")
    func windows() throws {
        let loaded = try load("\u{FEFF}[Playback]\r\nFadeOut=1s\r\nDevice=hw:0")
        #expect(loaded.configuration.playback.fadeOut == .seconds(1))
        #expect(loaded.configuration.playback.device == "hw:0")
    }

    @Test("A value can contain = : ; # and non-ASCII letters")
    func values() throws {
        let loaded = try load("[Playback]\nDevice=hw:CARD=Ö;1#2,DEV=0")
        #expect(loaded.configuration.playback.device == "hw:CARD=Ö;1#2,DEV=0")
        #expect(loaded.warnings == [])
    }

    @Test("A comment after a value is an error or a warning")
    func comments() throws {
        #expect(
            try diagnose("[Playback]\nFadeOut=1s ; slow\nFadeIn=x # y\nDevice=a ;b") == [
                "2: error: FadeOut=1s ; slow is not a time (put the comment on its own line)",
                "3: error: FadeIn=x # y is not a time (write a time from 0s to 10s, such as 30ms, 5s or 2min)",
                "4: warning: Device=a ;b is taken literally because comments after a value are not supported (if part of it is a comment, put that on its own line)",
            ])
        #expect(try load("[Playback]\nDevice=a ;b").configuration.playback.device == "a ;b")
    }

    @Test("Every line that is not a setting is an error")
    func noSetting() throws {
        #expect(
            try diagnose("[Playback]\nDevice\nShuffle\n=1s\nFadeIn: 2s\nFade:In=2s\nRepeat") == [
                "2: error: this is not a setting (write Key=value, or start a comment with #)",
                "3: error: this is not a setting (write Key=value, or start a comment with #)",
                "4: error: there is no key before ‘=’ (write Key=value)",
                "5: error: ‘:’ does not set a key (write Key=value)",
                "6: error: ‘:’ does not set a key (write Key=value)",
                "7: error: this is not a setting (write Key=value, or start a comment with #)",
            ])
    }

    @Test("Neither a backslash nor indentation continues a line")
    func continuation() throws {
        #expect(
            try diagnose("[Playback]\nDevice=a\\\nFadeIn=1s\n  2s") == [
                "2: error: a backslash does not continue a line (write the whole value on one line)",
                "4: error: this is not a setting (write Key=value, or start a comment with #)",
            ])
    }

    @Test("A bad heading is one error; the settings below it are not checked")
    func headings() throws {
        let problem =
            "error: this is not a section heading (write nothing after [Section], and put a comment on its own line)"
        #expect(
            try diagnose("[Playback\nFadeIn=nonsense\n[Session] ; x\nMode=nonsense\n[State]]\n[State]\nInterval=1s")
                == [
                    "1: \(problem)", "3: \(problem)", "5: \(problem)",
                ])
    }

    @Test("A setting before the first section is an error that names the right section")
    func noSection() throws {
        #expect(
            try diagnose("FadeIn=1s\nDebounce=1s\nX=1") == [
                "1: error: FadeIn= comes before the first section (it belongs in [Playback])",
                "2: error: Debounce= comes before the first section (it belongs in [Signal NAME] or [Button NAME])",
                "3: error: X= comes before the first section (write a section heading above it)",
            ])
    }

    @Test("NUL, control characters and invalid UTF-8 are errors, even in comments")
    func bytes() throws {
        var data = Data("[Playback]\nDevice=a\0b\n# \u{1}\nDevice=".utf8)
        data += [0xE4, 0x0A] + Data("FadeIn=1s\rFadeOut=1s\n".utf8)
        #expect(
            try diagnose(data) == [
                "2: error: this line contains a NUL byte (configuration files are plain text in UTF-8)",
                "3: error: this line contains the control character 1 (configuration files are plain text in UTF-8)",
                "4: error: this line is not valid UTF-8 (save the file as UTF-8)",
                "5: error: this line contains the control character 13 (configuration files are plain text in UTF-8)",
            ])
    }

    @Test("A long value is kept whole, and a line that is too long is an error: nothing is truncated")
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

    @Test("An empty file gives the defaults")
    func empty() throws {
        #expect(try load("").configuration == .builtIn)
    }
}
