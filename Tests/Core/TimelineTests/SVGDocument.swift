import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A picture, parsed as a viewer would parse it.
final class SVGDocument: NSObject, XMLParserDelegate {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    static let known: Set<String> = [
        "svg", "title", "desc", "defs", "pattern", "g", "rect", "line", "path", "circle", "text",
    ]

    private(set) var names: Set<String> = []
    private(set) var texts: [String] = []
    /// The `x` of each of the texts.
    private(set) var textPositions: [Double] = []
    private(set) var tooltips: [String] = []
    private(set) var title = ""
    private(set) var summary = ""
    /// The rectangles with a tooltip, with their left and right edges.
    private(set) var bars: [(tooltip: String, from: Double, to: Double)] = []
    private(set) var smallestFont = Double.infinity
    private var geometry: [String] = []
    private var open: [(name: String, text: String, x: Double, width: Double)] = []

    init(_ svg: String) throws {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        guard parser.parse() else {
            throw Malformed(description: "line \(parser.lineNumber): \(String(describing: parser.parserError))")
        }
    }

    /// Expects every coordinate to be a finite number near the picture.
    func expectNumbersAreNumbers(sourceLocation: SourceLocation = #_sourceLocation) {
        for attribute in geometry {
            for number in attribute.split(whereSeparator: { "ML Z,".contains($0) }) {
                guard let value = Double(number), value.isFinite, (-20...4000).contains(value) else {
                    Issue.record("\(attribute)", sourceLocation: sourceLocation)
                    return
                }
            }
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        names.insert(name)
        func number(_ key: String) -> Double { attributes[key].flatMap { Double($0) } ?? .nan }
        open.append((name, "", number("x"), number("width")))
        let keys = ["x", "y", "width", "height", "x1", "y1", "x2", "y2", "cx", "cy", "r", "d", "viewBox"]
        geometry += keys.compactMap { attributes[$0] }
        if let size = attributes["font-size"].flatMap({ Double($0) }) { smallestFont = min(smallestFont, size) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if let last = open.indices.last { open[last].text += string }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard let element = open.popLast() else { return }
        if name == "text" {
            texts.append(element.text)
            textPositions.append(element.x)
        }
        if name == "desc" { summary = element.text }
        if name == "title", open.count == 1 { title = element.text }
        if name == "title", open.count > 1 { tooltips.append(element.text) }
        if name == "title", let parent = open.last, parent.name == "rect" {
            bars.append((element.text, parent.x, parent.x + parent.width))
        }
    }
}
