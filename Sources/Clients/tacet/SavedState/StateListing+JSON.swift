import AudioSession
import ResumeStore
import Spelling
import Supervisor

/// The listing for programs. Times are in seconds. Every key is always present, and a missing value is null.
extension StateListing {
    var json: String {
        let (version, slot, sequence) = location
        return object([
            ("file", JSON.string(file)), ("readable", reading == nil ? "false" : "true"),
            ("error", text(error?.description)), ("version", version), ("slot", slot), ("sequence", sequence),
            ("slots", "[" + image.slots.enumerated().map(self.slot).joined(separator: ",") + "]"),
            ("age", age.map { seconds($0) } ?? "null"),
            ("state", reading.map { state($0.state) } ?? "null"),
            ("boot_same_wires", forecasts.map { boot($0.asSaved) } ?? "null"),
            ("boot_none_asserted", forecasts.map { boot($0.quiet) } ?? "null"),
        ])
    }

    private var location: (version: String, slot: String, sequence: String) {
        switch reading?.place {
        case .slot(let slot, let sequence, _): ("2", "\(slot)", "\(sequence)")
        case .firstVersion: ("1", "null", "null")
        case nil: ("null", "null", "null")
        }
    }

    private func slot(_ number: Int, _ content: StateSlot.Content) -> String {
        var fields = [("slot", "\(number)"), ("offset", "\(number * StateSlot.size)")]
        switch content {
        case .whole(let sequence, let payload):
            fields += [("content", JSON.string("whole")), ("sequence", "\(sequence)"), ("bytes", "\(payload.count)")]
        case .empty: fields.append(("content", JSON.string("empty")))
        case .otherVersion(let version):
            fields += [("content", JSON.string("other version")), ("version", "\(version)")]
        case .damaged(let damage):
            fields += [("content", JSON.string("damaged")), ("damage", JSON.string("\(damage)"))]
        }
        return object(fields)
    }

    private func state(_ state: SavedState) -> String {
        object([
            ("saved_at", seconds(state.savedAt)), ("intent", JSON.string(state.intent)), ("track", text(state.track)),
            ("track_number", "\(state.trackNumber)"), ("position", seconds(state.position)),
            ("volume_db", state.volume.isFinite ? "\(state.volume)" : "null"),
            ("shuffle_seed", JSON.string("\(state.shuffleSeed)")),
            (
                "held",
                "["
                    + state.held.map {
                        object([
                            ("signal", JSON.string($0.signal)), ("standing", JSON.string($0.standing)),
                            ("age", seconds($0.age)), ("stuck", $0.isStuck ? "true" : "false"),
                        ])
                    }.joined(separator: ",") + "]"
            ),
            (
                "episode",
                state.episode.map {
                    object([
                        ("reason", JSON.string($0.reason)), ("last_word", text($0.lastCommand)),
                        ("recommends_resuming", $0.recommendsResuming ? "true" : "false"),
                    ])
                } ?? "null"
            ),
        ])
    }

    private func boot(_ forecast: BootForecast) -> String {
        let session = forecast.session
        let gain = if case .play(let level) = session.directive { "\(level.decibels)" } else { "null" }
        return object([
            ("playing", session.directive == .silent ? "false" : "true"), ("gain_db", gain),
            ("intent", JSON.string(session.intent.rawValue)),
            ("blocking", JSON.array(session.blocking.map(\.rawValue))), ("position", seconds(forecast.position)),
            ("delay", seconds(forecast.delay)),
        ])
    }

    private func object(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\(JSON.string($0.0)):\($0.1)" }.joined(separator: ",") + "}"
    }

    private func text(_ text: String?) -> String { text.map(JSON.string) ?? "null" }

    private func seconds(_ time: Duration) -> String { "\(time / .seconds(1))" }
}
