/// Where Tacet is on a message bus.
public enum SessionAddress {
    public static let name = "org.mpris.MediaPlayer2.tacet"
    public static let path = "/org/mpris/MediaPlayer2"
    public static let session = "org.tacet.Session1"
    public static let player = "org.mpris.MediaPlayer2.Player"
}
