import Systemd
import Vocabulary

extension [String: BusValue] {
    /// A property of `org.tacet.Session1` among the results of `GetAll`.
    package subscript(_ property: SessionProperty) -> BusValue? { self[property.rawValue] }

    /// A property of `org.mpris.MediaPlayer2.Player` among the results of `GetAll`.
    package subscript(_ property: PlayerProperty) -> BusValue? { self[property.rawValue] }
}
