/// The options of a picture, which `tacet simulate` and `tacet timeline` share.
enum PictureOptions {
    private static let title = "--title"
    private static let notifications = "--notifications"

    static func options(defaultTitle: String) -> [Manual.Option] {
        [
            .init(title, .init("TEXT", .nothing), "use this title for the picture (default: \(defaultTitle))"),
            .init(
                notifications, nil,
                "also draw the session's notifications, and the commands with their answers"),
        ]
    }

    static func title(_ options: Options) -> String? { options.values[title] }

    static func showsNotifications(_ options: Options) -> Bool { options.flags.contains(notifications) }

    /// Returns the name of one of the options that was given, or nil if none was.
    static func given(_ options: Options) -> String? {
        title(options) != nil ? title : showsNotifications(options) ? notifications : nil
    }
}
