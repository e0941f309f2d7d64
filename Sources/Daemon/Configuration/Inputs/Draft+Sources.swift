import Signals
import Spelling

/// A source and the section that uses it.
struct ClaimedSource {
    let source: LevelSource
    let title: String
    let place: Place
}

extension Draft {
    /// Returns the source of the level of a section's signal or button. Reports a source that is incomplete or that
    /// another section already uses. The keys that mean nothing for the source count as not set.
    /// - Returns: The source, or nil if the section has none or if it is incomplete.
    mutating func source<Settings: ReadSettings>(
        of section: inout SectionDraft<Settings>, _ title: String, _ claimed: inout [ClaimedSource]
    ) -> LevelSource? {
        guard let kind = kind(of: section, title), let place = kind.read(section, title, &self) else { return nil }
        let source = LevelSource(place)
        let places = section.places
        let specified = (["Source"] + kind.location).lazy.compactMap { places[$0] }.first
        for key in Settings.keys where place.ignored.contains(key.name) {
            // A vendor's file may set it for a line that a drop-in replaces with another source.
            if let place = places[key.name], place.file == specified?.file {
                report(
                    .warning, place, "\(key.name)= in \(title) is ignored because its source is \(kind.name)",
                    "remove it, or write Source=\(Wiring.name)")
            }
            section.unset(key)
        }
        if let place = (kind.location + ["Source"]).lazy.compactMap({ places[$0] }).first {
            claim(source, for: title, at: place, &claimed)
        }
        return source
    }

    /// Reports a source that another section already uses.
    mutating func claim(
        _ source: LevelSource, for title: String, at place: Place, _ claimed: inout [ClaimedSource]
    ) {
        if let other = claimed.first(where: { $0.source.place.collides(withAny: source.place) }) {
            report(
                .error, place, "\(title) uses \(source), which \(other.title) already uses (\(other.place))",
                "each \(source.place.noun) can have only one use: specify another")
        }
        claimed.append(ClaimedSource(source: source, title: title, place: place))
    }

    /// Returns the kind in `Source=`, or else the only kind whose location the section specifies, or nil if there is
    /// none.
    private mutating func kind(of section: SectionDraft<some WiredSettings>, _ title: String) -> (any SourceKind.Type)?
    {
        let located = LevelSource.kinds.compactMap { kind in
            kind.location.first { section.places[$0] != nil }.map { (kind: kind, key: $0) }
        }
        if let kind = section.settings.source.kind {
            // The vendor's file may set a line that a drop-in replaces with another source. In a single file, this is a
            // mistake.
            for (other, key) in located where other.name != kind.name && !kind.borrowed.contains(key) {
                guard let place = section.places[key], place.file == section.places["Source"]?.file else { continue }
                report(
                    .warning, place, "\(key)= in \(title) is ignored because Source= is \(kind.name)",
                    "remove it, or write Source=\(other.name)")
            }
            return kind
        }
        // A bad value has been reported.
        if section.sets("Source") { return nil }
        if located.count > 1, let last = located.last, let place = section.places[last.key] {
            report(
                .error, place,
                "\(title) has several sources: \(located.map { "\($0.key)=" }.joined(separator: " and "))",
                "write Source= with the one that counts: "
                    + "\(located.map { $0.kind.name }.alternatives), or unset a key in a drop-in by leaving it empty")
            return nil
        }
        return located.first?.kind
    }

    mutating func required<Value>(
        _ key: String, _ value: Value?, of section: SectionDraft<some WiredSettings>, _ title: String, _ what: String
    ) -> Value? {
        if let value { return value }
        if section.sets(key) { return nil }
        let keys = ["Source"] + LevelSource.locationKeys
        if let place = keys.compactMap({ section.places[$0] }).first ?? section.declared {
            report(.error, place, "\(title) has no \(key)=", "write \(key)= with \(what)")
        }
        return nil
    }

    /// Applies the defaults that differ for a source without wires. Its level does not bounce, and if its program ends,
    /// its signal also ends.
    func policy(
        _ line: LinePolicy, for source: LevelSource?, of section: SectionDraft<some WiredSettings>
    ) -> LinePolicy {
        guard let place = source?.place else { return line }
        var line = line
        if !place.bounces, !section.sets("Debounce") { line.debounce = .zero }
        if place.isProgram, !section.sets("WhenLost") { line.whenLost = .release }
        return line
    }
}

/// The settings of a section that has a source, which is a signal's or a button's.
protocol ReadSettings: WiredSettings {
    /// The keys of such a section.
    static var keys: [Key<Self>] { get }
    var line: LinePolicy { get set }
}

extension ReadSettings {
    var isActiveLow: Bool {
        get { line.isActiveLow }
        set { line.isActiveLow = newValue }
    }
}
