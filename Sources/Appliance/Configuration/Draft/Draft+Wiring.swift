import GPIO

extension Draft {
    /// The line that a section specifies. Reports an incomplete line.
    /// - Returns: nil if the section has no line, or an incomplete one.
    mutating func wiring(
        of section: SectionDraft<some WiredSettings>, _ title: String
    ) -> Wiring? {
        guard let place = section.places["Line"] ?? section.places["Offset"] ?? section.places["Chip"] else {
            return nil
        }
        let settings = section.settings.wiring
        let line: LineSelector
        switch (settings.line, settings.offset, settings.chip) {
        case (let name?, nil, let chip): line = .named(name, chip: chip)
        case (nil, let offset?, let chip?): line = .offset(offset, chip: chip)
        case (_?, _?, _):
            let other = section.places["Offset"].map { " and \($0)" } ?? ""
            report(
                .error, place, "\(title) specifies its line twice: with Line= and with Offset= (\(place)\(other))",
                "remove one of them; in a drop-in, an empty Line= or Offset= unsets it")
            return nil
        case (nil, _?, nil):
            if section.sets("Chip") { return nil }
            report(
                .error, place, "\(title) has Offset= without Chip=",
                "write Chip= with the chip that has this line, such as gpiochip0")
            return nil
        case (nil, nil, _):
            if section.sets("Line") || section.sets("Offset") { return nil }
            report(.error, place, "\(title) has Chip= but no line", "add Line= or Offset=")
            return nil
        }
        return Wiring(line: line, bias: settings.bias)
    }
}
