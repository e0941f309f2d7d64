import AudioSession
import Configuration
import Testing

@Suite struct VolumeKeyTests {
    @Test func maximumVolumeIsFullByDefault() throws {
        #expect(try configuration("[Playback]\n").session.maximumVolume == .full)
        #expect(try configuration("[Playback]\nMaximumVolume=-6dB\n").session.maximumVolume == Level(decibels: -6))
        #expect(try configuration("[Playback]\nMaximumVolume=-6dB\nMaximumVolume=\n").session.maximumVolume == .full)
    }

    @Test func disappointingVolumesCauseAWarning() throws {
        #expect(
            try diagnose("[Playback]\nVolume=-3dB\nMaximumVolume=-10dB") == [
                "2: warning: Volume=-3dB is above MaximumVolume=, so the volume is -10dB (write Volume=-10dB, or a higher MaximumVolume=)"
            ])
        #expect(
            try diagnose("[Playback]\nMaximumVolume=mute") == [
                "2: warning: MaximumVolume= is mute, so the music is never heard (write a level such as -6dB, or remove it)"
            ])
        #expect(try diagnose("[Playback]\nVolume=-10dB\nMaximumVolume=-10dB") == [])
        // The default of Volume= is the maximum then.
        #expect(try diagnose("[Playback]\nMaximumVolume=-10dB") == [])
        #expect(try diagnose("[Playback]\nMaximumVolume=3dB").first?.hasPrefix("2: error: ") == true)
    }

    @Test func soundFollowsTheVolumeOnlyIfConfigured() throws {
        let sounds = try configuration(
            "[Sound gong]\nFile=a.wav\n[Sound story]\nFile=b.wav\nFollow=volume\n[Sound bell]\nFile=c.wav\nFollow=none\n"
        ).sounds
        #expect(sounds["gong"]?.follow == SoundSettings.Follow.none && sounds["story"]?.follow == .volume)
        #expect(sounds["bell"]?.follow == SoundSettings.Follow.none)
        let mistake = try diagnose("[Sound gong]\nFile=/dev/null\nFollow=volumes")
        #expect(
            mistake.first?.hasPrefix("3: error: Follow=volumes is unknown (did you mean ‘volume’?") == true,
            "\(mistake)")
    }
}
