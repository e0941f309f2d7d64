/// The lines of one file before they are interpreted.
struct IniDocument: Sendable {
    enum Content: Hashable, Sendable {
        /// The text between the brackets.
        case section(String)
        /// A bad heading. The settings below it do not belong to any section.
        case unreadableSection
        case setting(key: String, value: String)
    }

    struct Item: Hashable, Sendable {
        let line: Int
        let content: Content
    }

    let file: String
    var items: [Item] = []
    let problems: [Diagnostic]

    init(bytes: [UInt8], file: String) {
        self.file = file
        let parser = IniParser(bytes, file: file)
        parser.run()
        items = parser.items
        problems = parser.problems.all
    }
}
