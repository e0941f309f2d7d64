extension Timeline {
    /// A label for something that happened at an instant.
    public struct Mark: Sendable, Equatable {
        /// The meaning of the mark. If not all labels fit, `began` is kept first, and then `ended`.
        public enum Kind: Sendable, Equatable {
            /// An interruption or a duck began.
            case began
            /// An interruption or a duck ended.
            case ended
            /// Anything else.
            case notice
        }

        /// The time in seconds.
        public var time: Double
        /// The label, such as `ended(shouldResume)` or `pause → success`.
        public var text: String
        public var kind: Kind

        public init(time: Double, text: String, kind: Kind = .notice) {
            self.time = time
            self.text = text
            self.kind = kind
        }
    }
}
