import ALSA
import Configuration
import Playback

extension EngineSettings {
    /// As configured.
    public init(_ settings: PlaybackSettings) {
        self.init(PCMAddress(settings.device))
        library = settings.library
        longestFade = settings.fadeOut
        closeAfter = settings.closeAfter
        locksMemory = true
    }
}
