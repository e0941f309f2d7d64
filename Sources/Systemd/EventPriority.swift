import CSystemd

/// Which of several sources that are due is called first.
public enum EventPriority: Sendable {
    case important, normal, idle

    var number: Int64 {
        switch self {
        case .important: Int64(SD_EVENT_PRIORITY_IMPORTANT)
        case .normal: Int64(SD_EVENT_PRIORITY_NORMAL)
        case .idle: Int64(SD_EVENT_PRIORITY_IDLE)
        }
    }
}
