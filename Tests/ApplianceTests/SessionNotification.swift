import AudioSession

/// The session's, where Foundation has another of that name.
typealias SessionNotification = Notification
