/// Where to look for another track when the one asked for cannot be played.
public enum SearchDirection: Sendable, Hashable {
    case forward
    case backward
}
