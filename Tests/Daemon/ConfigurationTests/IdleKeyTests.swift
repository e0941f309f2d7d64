import Configuration
import Testing

@Suite struct IdleKeyTests {
    @Test func bothKeysNameTheRequest() throws {
        let text = "[Playback]\nLibrary=/music\nIdleAfter=2min\nIdlePlaylist=attract loop.m3u\n"
        let playback = try configuration(text).playback
        #expect(playback.idleAfter == .seconds(120))
        #expect(playback.idleRequest?.description == "attract loop.m3u --then repeat")
        #expect(try configuration("[Playback]\n").playback.idleRequest == nil)
        #expect(try configuration("\(text)IdleAfter=infinity\nIdlePlaylist=").playback.idleAfter == nil)
        #expect(try configuration(text).summary.contains("attract loop.m3u after 2min without a command"))
    }

    @Test func oneKeyNeedsTheOthers() throws {
        let (library, after, playlist) = ("Library=/", "IdleAfter=2min", "IdlePlaylist=etc")
        #expect(
            try diagnose("[Playback]\n\(library)\n\(after)") == [
                "3: error: IdleAfter= has no effect without IdlePlaylist= (add it, such as IdlePlaylist=attract.m3u)"
            ])
        #expect(
            try diagnose("[Playback]\n\(library)\n\(playlist)") == [
                "3: error: IdlePlaylist= has no effect without IdleAfter= (add it, such as IdleAfter=2min)"
            ])
        #expect(
            try diagnose("[Playback]\n\(after)\n\(playlist)") == [
                "3: error: IdlePlaylist= has no effect without Library= (add it, such as Library=/srv/music)"
            ])
        let missing = try diagnose("[Playback]\n\(library)\n\(after)\nIdlePlaylist=absent")
        #expect(missing.first?.hasPrefix("4: warning: IdlePlaylist= chooses absent: //absent: No such file") == true)
        let button =
            "[Button owl]\nLine=OWL\nCommand=play etc\nLongCommand=play ../owl\nDoubleCommand=play owl --then stop"
        let mistakes = try diagnose("[Playback]\n\(library)\n\(button)")
        #expect(mistakes.count == 2, "\(mistakes)")
        #expect(mistakes.first?.hasPrefix("6: warning: LongCommand= chooses ../owl: a name with ..") == true)
        #expect(mistakes.last?.hasPrefix("7: warning: DoubleCommand= chooses owl: //owl: No such file") == true)
        #expect(try diagnose("[Playback]\n\(library)\n\(after)\n\(playlist)") == [])
        #expect(try diagnose("[Playback]\nIdleAfter=10ms").first?.hasPrefix("2: error: ") == true)
    }
}
