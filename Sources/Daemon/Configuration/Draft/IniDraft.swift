/// A configuration under construction. Add its files in order, because a later one overrides an earlier one key by key.
protocol IniDraft {
    associatedtype Section: IniSection
    var diagnostics: DiagnosticList { get set }
    /// Records that a file names a section, or reports that there are too many.
    ///
    /// - Returns: False if the section and its keys are ignored.
    mutating func open(_ section: Section, at place: Place) -> Bool
    /// Sets a key, or reports that its value is bad.
    ///
    /// - Returns: False if the section does not have this key.
    mutating func set(_ key: String, _ value: String, in section: Section, at place: Place) -> Bool
}

/// A section of a file, as named by its heading.
protocol IniSection: Hashable, CustomStringConvertible {
    /// The possible headings of a file and the keys of each.
    static var all: [(heading: String, keys: [String])] { get }
    /// - Parameter heading: The text between the brackets.
    init(_ heading: String) throws(BadValue)
    var keys: [String] { get }
    /// Returns the reason why the section lacks a key that a user may expect in it, or nil for any other key.
    func reason(against key: String) -> String?
}

extension IniSection {
    func reason(against key: String) -> String? { nil }
}

/// The heading to which the settings on the following lines belong.
private enum Heading<Section> {
    case none
    /// A bad heading, which has been reported. The settings below it cannot be checked.
    case rejected
    case section(Section)
}

extension IniDraft {
    /// Adds a file, whose settings override those of earlier files. If there are too many mistakes, the rest of the file is
    /// not examined.
    mutating func add(_ document: IniDocument) {
        diagnostics += document.problems
        var heading = Heading<Section>.none
        var earlier: [Section: [String: Int]] = [:]
        for item in document.items where !diagnostics.isFull {
            let place = Place(file: document.file, line: item.line)
            switch item.content {
            case .section(let text):
                do throws(BadValue) {
                    let section = try Section(text)
                    heading = open(section, at: place) ? .section(section) : .rejected
                } catch {
                    diagnostics.append(
                        Diagnostic(.error, at: place, "[\(text)] \(error.problem)", advice: error.advice))
                    heading = .rejected
                }
            case .unreadableSection: heading = .rejected
            case .setting(let key, let value):
                switch heading {
                case .rejected: break
                case .none: diagnostics.append(.keyWithoutSection(key, of: Section.self, at: place))
                case .section(let section):
                    let line = earlier[section, default: [:]].updateValue(item.line, forKey: key)
                    if let line { diagnostics.append(.duplicate(key, in: section, line: line, at: place)) }
                    if !set(key, value, in: section, at: place) {
                        diagnostics.append(.unknownKey(key, in: section, at: place))
                    }
                }
            }
        }
    }
}
