/// The properties of MPRIS's `org.mpris.MediaPlayer2.Player` that Tacet supports, in the order of the introspection.
public enum PlayerProperty: String, Sendable, CaseIterable {
    case playbackStatus = "PlaybackStatus"
    case loopStatus = "LoopStatus"
    case rate = "Rate"
    case shuffle = "Shuffle"
    case metadata = "Metadata"
    case volume = "Volume"
    case position = "Position"
    case minimumRate = "MinimumRate"
    case maximumRate = "MaximumRate"
    case canGoNext = "CanGoNext"
    case canGoPrevious = "CanGoPrevious"
    case canPlay = "CanPlay"
    case canPause = "CanPause"
    case canSeek = "CanSeek"
    case canControl = "CanControl"

    /// The D-Bus type.
    public var type: String {
        switch self {
        case .playbackStatus, .loopStatus: "s"
        case .rate, .volume, .minimumRate, .maximumRate: "d"
        case .position: "x"
        case .metadata: "a{sv}"
        case .shuffle, .canGoNext, .canGoPrevious, .canPlay, .canPause, .canSeek, .canControl: "b"
        }
    }
}

/// The signals of the same interface.
public enum PlayerSignal: String, Sendable, CaseIterable {
    case seeked = "Seeked"
}

/// The members of `org.mpris.MediaPlayer2.TrackList` that others than its own table name.
public enum TrackListMember: String, Sendable, CaseIterable {
    case tracks = "Tracks"
    case replaced = "TrackListReplaced"
}

/// The keys of `Metadata` that Tacet sets.
public enum TrackKey: String, Sendable, CaseIterable {
    case id = "mpris:trackid"
    case length = "mpris:length"
    case picture = "mpris:artUrl"
    case url = "xesam:url"
    case title = "xesam:title"
    case artist = "xesam:artist"
    case album = "xesam:album"
    case genre = "xesam:genre"
    case comment = "xesam:comment"
    case number = "xesam:trackNumber"
}
