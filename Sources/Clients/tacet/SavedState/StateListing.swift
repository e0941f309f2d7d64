import AudioSession
import Configuration
import ResumeStore
import Supervisor

/// A saved state and its meaning.
struct StateListing {
    let file: String
    let image: StateImage
    /// The state that was read, or nil if nothing can be read.
    let reading: StateReading?
    let error: StateError?
    /// The time since it was saved, by the wall clock, or nil if the clock has been set back since.
    let age: Duration?
    /// True if the tracks are played in random order.
    let isShuffled: Bool
    /// The forecasts for a boot now, with the signals as saved and with none asserted, or nil without a configuration.
    let forecasts: (asSaved: BootForecast, quiet: BootForecast)?

    /// - Parameter now: the wall clock's time.
    init(_ file: String, _ image: StateImage, _ configuration: Configuration?, now: Duration) {
        self.file = file
        self.image = image
        isShuffled = configuration?.playback.shuffle ?? false
        switch image.outcome {
        case .failure(let failure):
            (reading, error, age, forecasts) = (nil, failure, nil, nil)
        case .success(let success):
            reading = success
            let elapsed = now - success.state.savedAt
            age = elapsed >= .zero ? elapsed : nil
            guard let configuration else {
                (error, forecasts) = (nil, nil)
                return
            }
            do throws(StateError) {
                let forecast = { (lines: BootForecast.Lines) throws(StateError) in
                    try BootForecast(success.state, configuration, lines: lines, elapsed: elapsed)
                }
                forecasts = (try forecast(.asSaved), try forecast(.quiet))
                error = nil
            } catch {
                forecasts = nil
                self.error = error
            }
        }
    }
}
