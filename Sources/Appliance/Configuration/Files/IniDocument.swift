/// One file as it stands, before anything is made of it.
struct IniDocument: Sendable {
    enum Content: Hashable, Sendable {
        /// What stands between the brackets.
        case section(String)
        /// A heading that cannot be read: what follows belongs to no section.
        case unreadableSection
        case setting(key: String, value: String)
    }

    struct Item: Hashable, Sendable {
        let line: Int
        let content: Content
    }

    let file: String
    var items: [Item] = []
    var problems: [Diagnostic] = []

    init(bytes: [UInt8], file: String) {
        self.file = file
        let parser = IniParser(bytes, file: file)
        parser.run()
        items = parser.items
        problems = parser.problems
    }
}
