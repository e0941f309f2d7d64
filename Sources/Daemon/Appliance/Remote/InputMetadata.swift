import AudioSession
import Configuration
import Systemd
import Vocabulary

extension RemoteView {
    /// The metadata of an input, of which a helper may have reported the title.
    func metadata(of id: InputID) -> [TrackKey: BusValue] {
        let programme = context.reports[id]
        let title = programme?.title ?? ""
        var values: [TrackKey: BusValue] = [.title: .string(title.isEmpty ? id.rawValue : title)]
        if let artist = programme?.artist, !artist.isEmpty { values[.artist] = .strings([artist]) }
        if case .stream(let url)? = scene.configuration.inputs.first(where: { $0.id == id })?.origin {
            values[.url] = .string(url.shown)
        }
        return values
    }
}
