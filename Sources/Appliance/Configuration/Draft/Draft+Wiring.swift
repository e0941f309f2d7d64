extension Draft {
    /// The line a section names, if it names one that nobody else has.
    mutating func wiring(
        of section: SectionDraft<some WiredSettings>, _ title: String, _ claimed: inout [ClaimedLine]
    ) -> Wiring? {
        guard let place = section.places["Line"] ?? section.places["Offset"] ?? section.places["Chip"] else {
            return nil
        }
        let settings = section.settings.wiring
        let line: Wiring.Line
        switch (settings.line, settings.offset, settings.chip) {
        case (let name?, nil, let chip): line = .named(name, chip: chip)
        case (nil, let offset?, let chip?): line = .offset(offset, chip: chip)
        case (_?, _?, _):
            let other = section.places["Offset"].map { " and \($0)" } ?? ""
            report(
                .error, place, "\(title) names its line twice: by Line= and by Offset= (\(place)\(other))",
                "remove one of them; in a drop-in, Line= or Offset= without a value takes it back")
            return nil
        case (nil, _?, nil):
            if section.says("Chip") { return nil }
            report(
                .error, place, "\(title) has Offset= without Chip=",
                "write Chip= with the chip that counts so, such as gpiochip0")
            return nil
        case (nil, nil, _):
            if section.says("Line") || section.says("Offset") { return nil }
            report(.error, place, "\(title) has Chip= alone, which is no line", "write Line= or Offset= as well")
            return nil
        }
        let wiring = Wiring(line: line, bias: settings.bias)
        if let other = claimed.first(where: { $0.wiring.collides(with: wiring) }) {
            report(
                .error, place, "\(title) uses \(wiring), which \(other.title) has already (\(other.place))",
                "a line can be one thing only: name another")
        }
        claimed.append(ClaimedLine(wiring: wiring, title: title, place: place))
        return wiring
    }
}
