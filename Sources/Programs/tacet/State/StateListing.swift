import AudioSession
import Configuration
import ResumeStore
import Supervisor

/// A saved state, and what is to be said of it.
struct StateListing {
    let file: String
    let image: StateImage
    /// nil where nothing can be read.
    let reading: StateReading?
    let error: StateError?
    /// How long ago it was saved, by the wall clock; nil where that was set back since.
    let age: Duration?
    /// What a boot now would do, if the wires are as they were, and if nothing is asserted; nil without a configuration.
    let forecasts: (asSaved: BootForecast, quiet: BootForecast)?

    /// - Parameter now: by the wall clock.
    init(_ file: String, _ image: StateImage, _ configuration: Configuration?, now: Duration) {
        self.file = file
        self.image = image
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
