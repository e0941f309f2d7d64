/// The options of a picture, which `tacet simulate` and `tacet timeline` share.
enum PictureOptions {
    private static let title = "--title"
    private static let notifications = "--notifications"

    static func options(defaultTitle: String) -> [Manual.Option] {
        [
            .init(title, .init("TEXT", .nothing), "the title of the picture; default: \(defaultTitle)"),
            .init(
                notifications, nil,
                "also draw the notifications of the session, the commands and their answers, for programmers"),
        ]
    }

    static func title(_ options: Options) -> String? { options.values[title] }

    static func showsNotifications(_ options: Options) -> Bool { options.flags.contains(notifications) }

    /// Returns the name of one of the options that was given, or nil if none was.
    static func given(_ options: Options) -> String? {
        title(options) != nil ? title : showsNotifications(options) ? notifications : nil
    }
}
