extension Timeline {
    /// Something that happened at an instant, in a few words.
    public struct Mark: Sendable, Equatable {
        /// What the mark means to the reader; where not all labels fit, `began` and `ended` are kept first.
        public enum Kind: Sendable, Equatable {
            /// An interruption or a duck began: a hairline is drawn through all lanes.
            case began
            /// An interruption or a duck ended.
            case ended
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
