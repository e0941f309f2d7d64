import Files

/// Version 1: a text file that was replaced as a whole. Its last line proves that it is whole.
extension SavedState {
    private static let firstHeader = Array("tacet-state 1\n".utf8)

    static func isOfFirstVersion(_ file: [UInt8]) -> Bool { file.starts(with: firstHeader) }

    init(firstVersion file: [UInt8]) throws(StateError) {
        guard file.last == 0x0a, let end = file.dropLast().lastIndex(of: 0x0a),
            let last = String(validating: file[(end + 1)...].dropLast(), as: UTF8.self), last.hasPrefix("checksum ")
        else { throw .damaged("it is cut short: the last line is no checksum") }
        guard last == "checksum \(Checksum.text(of: file[...end]))" else {
            throw .damaged("the checksum does not match")
        }
        try self.init(facts: file[SavedState.firstHeader.count...end])
    }
}
