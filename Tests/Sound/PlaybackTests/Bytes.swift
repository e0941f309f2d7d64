/// Returns the bytes of a text.
func text(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Returns all bytes of the parts. Swift 6.0 compiles sums of many arrays for minutes.
func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }
