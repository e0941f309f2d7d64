extension Timeline {
    /// A label for something that happened at an instant.
    public struct Mark: Sendable, Equatable {
        /// What the mark means. If not all labels fit, `began` is kept first, then `ended`.
        public enum Kind: Sendable, Equatable {
            /// An interruption or a duck began: draws a hairline through all lanes.
            case began
            /// An interruption or a duck ended.
            case ended
            /// Anything else.
            case notice
        }

        /// Seconds.
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
