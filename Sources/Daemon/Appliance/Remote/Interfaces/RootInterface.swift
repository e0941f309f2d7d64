import Systemd

extension BusInterface {
    /// The interface `org.mpris.MediaPlayer2` of a player without a window, which remote controls cannot quit.
    static var root: BusInterface {
        BusInterface(
            "org.mpris.MediaPlayer2",
            methods: [
                BusMethod("Raise") { _ in [] },
                BusMethod("Quit") { _ in [] },
            ],
            properties: [
                .constant("CanQuit", .bool(false)),
                .constant("CanRaise", .bool(false)),
                .constant("CanSetFullscreen", .bool(false)),
                .constant("Fullscreen", .bool(false)),
                .constant("HasTrackList", .bool(true)),
                .constant("Identity", .string("Tacet")),
                .constant("SupportedUriSchemes", .strings(["file"])),
                .constant(
                    "SupportedMimeTypes",
                    .strings(["audio/flac", "audio/mpeg", "audio/ogg", "audio/opus", "audio/x-wav", "audio/x-mpegurl"])),
            ])
    }
}

extension BusProperty {
    static func constant(_ name: String, _ value: BusValue) -> BusProperty {
        BusProperty(name, value.signature, change: .constant, get: { value })
    }
}
