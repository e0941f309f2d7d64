import Testing

@testable import Timeline

@Suite struct PictureTests {
    @Test(arguments: Samples.all.map(\.name))
    func samplesAreWellFormed(_ name: String) throws {
        let sample = try #require(Samples.all.first { $0.name == name })
        let document = try SVGDocument(sample.timeline.svg())
        #expect(document.title == sample.timeline.title)
        #expect(document.texts.count > 5)
        #expect(document.smallestFont >= 12)
        document.expectNumbersAreNumbers()
    }

    @Test func sameTimelineGivesTheSameBytes() {
        for (_, timeline) in Samples.all {
            #expect(timeline.svg() == timeline.svg())
        }
    }

    @Test func markupInTextIsEscaped() throws {
        let hostile = "<b>&\"'\u{1}]]></title>"
        var timeline = Timeline(title: hostile, start: 0, end: 10)
        timeline.signals = [
            .init(
                name: hostile, effect: hostile, asserted: [.init(from: 1, to: 9, value: .dropped(hostile))],
                faults: [.init(from: 1, to: 2, value: hostile)])
        ]
        timeline.session = [.init(from: 0, to: 9, value: .interrupted(hostile))]
        timeline.playback = [
            .init(from: 0, to: 9, fromPosition: 0, toPosition: 9, track: hostile, motion: .playing)
        ]
        timeline.marks = [.init(time: 2, text: hostile)]
        timeline.commands = timeline.marks
        let document = try SVGDocument(timeline.svg(notifications: true))
        #expect(document.title == "<b>&\"'\u{FFFD}]]></title>")
        #expect(document.names.isSubset(of: SVGDocument.known))
    }

    @Test func backgroundIsWhite() throws {
        let svg = Samples.minimal.svg()
        #expect(svg.contains("<rect x=\"0\" y=\"0\" width=\"900\""))
        #expect(svg.contains("fill=\"#FFFFFF\""))
    }

    @Test func inputsHaveARowOnlyIfThereAreAny() throws {
        var timeline = Samples.day
        #expect(try !SVGDocument(timeline.svg()).texts.contains("inputs"))
        timeline.inputs = [.init(from: timeline.start, to: timeline.end, value: "airplay")]
        let document = try SVGDocument(timeline.svg())
        #expect(Set(["inputs", "airplay", "input that plays live"]).isSubset(of: document.texts))
        #expect(document.summary.contains("1 live input"))
    }

    @Test func bandsAreLabelled() throws {
        let day = try SVGDocument(Samples.day.svg())
        let fault = try SVGDocument(Samples.fault.svg())
        #expect(day.texts.contains("no power"))
        #expect(fault.texts.contains("no device"))
    }

    @Test func notificationsAreDrawnOnlyOnRequest() throws {
        let (plain, full) = try (SVGDocument(Samples.day.svg()), SVGDocument(Samples.day.svg(notifications: true)))
        let rows: Set = ["notifications", "commands"]
        #expect(rows.isDisjoint(with: plain.texts) && rows.isSubset(of: full.texts))
        #expect(!plain.summary.contains("notification") && full.summary.contains("7 notifications and 3 commands."))
        // The bars are the same.
        #expect(plain.bars.map(\.tooltip) == full.bars.map(\.tooltip))
    }

    @Test(arguments: Samples.all.map(\.name))
    func titlesOfBarsAreWholeWords(_ name: String) throws {
        let sample = try #require(Samples.all.first { $0.name == name })
        let texts = try SVGDocument(sample.timeline.svg()).texts
        #expect(!texts.contains { $0.hasPrefix("interr") && $0.hasSuffix("…") })
        #expect(!texts.contains { $0.hasSuffix(" more") })
    }

    @Test func narrowBarsHaveTheirLabelsOutside() throws {
        var timeline = Timeline(title: "Narrow", start: 0, end: 64)
        timeline.signals = [.init(name: "bell", effect: "", asserted: [.init(from: 41, to: 42, value: .active)])]
        timeline.session = [
            .init(from: 0, to: 28, value: .active), .init(from: 28, to: 33, value: .interrupted("cover")),
            .init(from: 33, to: 64, value: .active),
        ]
        timeline.intent = [
            .init(from: 0, to: 30, value: .playing), .init(from: 30, to: 33, value: .paused),
            .init(from: 33, to: 64, value: .playing),
        ]
        timeline.sounds = [.init(from: 15, to: 16, value: "siren"), .init(from: 17.4, to: 18, value: "gong")]
        let document = try SVGDocument(timeline.svg())
        for text in ["1 s", "interrupted", "cover", "a pause", "siren", "gong"] {
            #expect(document.texts.contains(text), "\(text)")
        }
    }

    @Test func levelIsLabelledWhereNoSoundIsDrawn() throws {
        var timeline = Timeline(title: "Levels", start: 0, end: 60)
        timeline.gain = [.init(time: 0, gain: 0), .init(time: 60, gain: 0)]
        func positions(_ heard: [ClosedRange<Double>]) throws -> [Double] {
            timeline.heard = heard.map { .init(from: $0.lowerBound, to: $0.upperBound, peak: 0.5) }
            let document = try SVGDocument(timeline.svg())
            return zip(document.texts, document.textPositions).filter { $0.0 == "no music" }.map(\.1)
        }
        let scale = TimeScale(start: 0, end: 60, left: Picture.gutter, right: Picture.width - Picture.margin - 6)
        #expect(try abs(#require(positions([]).first) - scale.x(30)) < 1)
        #expect(try abs(#require(positions([20...60]).first) - scale.x(10)) < 1)
        #expect(try positions([3...60]).isEmpty)
    }

    @Test func descriptionIsInSentences() throws {
        #expect(
            try SVGDocument(Samples.minimal.svg()).summary
                == "This picture shows what happened from 0 s to 10 s. It has no signals. Nothing happened.")
        #expect(
            try SVGDocument(Samples.day.svg()).summary
                == "This picture shows what happened from 0 s to 30 s. Its signals are phone-call, alarm and cover-closed. "
                + "There were 2 interruptions, 1 time at a reduced level and 1 power cut.")
        var timeline = Timeline(title: "One", start: 0, end: 1)
        timeline.signals = [.init(name: "call", effect: "")]
        timeline.sounds = [.init(from: 0, to: 1, value: "gong")]
        #expect(try SVGDocument(timeline.svg()).summary.hasSuffix("Its signal is call. There was 1 sound."))
    }

    @Test func everyNotificationOfTheRehearsalIsLabelled() throws {
        let texts = try SVGDocument(Samples.day.svg(notifications: true)).texts
        for mark in Samples.day.marks + Samples.day.commands {
            #expect(texts.contains(mark.text))
        }
    }

    @Test func labelsThatDoNotFitAreCounted() throws {
        let texts = try SVGDocument(Samples.hour.svg(notifications: true)).texts
        let labels = Set(Samples.hour.marks.map(\.text))
        let shown = texts.filter(labels.contains).count
        let counted = texts.filter { $0.hasPrefix("+") }.compactMap { Int($0.dropFirst().prefix { $0 != " " }) }
        #expect(shown > 10)
        #expect(shown + counted.reduce(0, +) == Samples.hour.marks.count)
    }

    @Test(arguments: [
        (5.0, 5.0), (10, 0), (.nan, .nan), (-.infinity, .infinity), (0, 1e300), (1e9, 1e9 + 1e-9), (0, 0.01),
    ])
    func anyTimeSpanGivesAValidPicture(_ start: Double, _ end: Double) throws {
        var timeline = Samples.day
        timeline.start = start
        timeline.end = end
        let document = try SVGDocument(timeline.svg(notifications: true))
        document.expectNumbersAreNumbers()
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e308, -1e308, 0])
    func invalidNumbersAreOmitted(_ strange: Double) throws {
        var timeline = Timeline(title: "strange", start: 0, end: 10)
        timeline.signals = [
            .init(
                name: "a", effect: "pause", raw: [.init(from: strange, to: 3, value: true)],
                asserted: [
                    .init(from: 1, to: strange, value: .active), .init(from: strange, to: 4, value: .suppressed),
                ],
                faults: [.init(from: strange, to: strange, value: "stuck")])
        ]
        timeline.session = [.init(from: strange, to: strange, value: .ducked(""))]
        timeline.intent = [.init(from: 5, to: strange, value: .stopped)]
        timeline.gain = [(strange, 0.5), (2, strange), (3, 1)].map { .init(time: $0.0, gain: $0.1) }
        timeline.heard = [.init(from: strange, to: 3, peak: 0.5), .init(from: 3, to: 4, peak: strange)]
        timeline.playback = [
            .init(from: 0, to: 5, fromPosition: strange, toPosition: 5, track: "t", motion: .playing),
            .init(from: 5, to: strange, fromPosition: 5, toPosition: 5, track: "t", motion: .held),
        ]
        timeline.recording = [
            .init(from: strange, to: 4, value: .recorded), .init(from: 4, to: strange, value: .muted),
        ]
        timeline.marks = [.init(time: strange, text: "m", kind: .began)]
        timeline.outages = [.init(from: strange, to: 2, value: .powerCut), .init(from: 2, to: strange, value: .killed)]
        let document = try SVGDocument(timeline.svg(notifications: true))
        document.expectNumbersAreNumbers()
    }

    @Test func recordingRowShowsRecordedAndMutedSpans() throws {
        var timeline = Timeline(title: "Calls", start: 0, end: 10)
        let without = try SVGDocument(timeline.svg())
        #expect(!without.texts.contains("recording"))
        timeline.recording = []
        let empty = try SVGDocument(timeline.svg())
        #expect(empty.texts.contains("recording") && empty.tooltips == without.tooltips)
        timeline.recording = [
            .init(from: 0, to: 3, value: .recorded), .init(from: 3, to: 5, value: .muted),
            .init(from: 5, to: 9, value: .recorded), .init(from: 12, to: 13, value: .recorded),
        ]
        let document = try SVGDocument(timeline.svg())
        #expect(
            document.tooltips.filter { $0.contains("record") } == [
                "recorded, 0 s – 3 s", "silence recorded: the microphone was muted, 3 s – 5 s", "recorded, 5 s – 9 s",
            ])
        #expect(document.texts.filter { $0 == "recording" }.count == 1)
        // Silence has another colour.
        let bars = timeline.svg().split(separator: "<rect").filter { $0.contains("<title>") && $0.contains("recorded") }
        let fills = bars.compactMap { $0.firstMatch(of: /fill="([^"]+)"/)?.1 }
        #expect(fills.count == 3 && fills[0] == fills[2] && fills[0] != fills[1])
    }

    /// Every kind of span is drawn from its beginning to its end, and its description contains both.
    @Test func spansAreDrawnFromTheirBeginningToTheirEnd() throws {
        var timeline = Timeline(title: "Spans", start: 10, end: 110)
        timeline.signals = [
            .init(
                name: "call", effect: "pause",
                asserted: [
                    .init(from: 12, to: 20, value: .active), .init(from: 21, to: 30, value: .suppressed),
                    .init(from: 31, to: 40, value: .dropped("stuck")),
                ])
        ]
        timeline.session = [
            .init(from: 13, to: 19, value: .active), .init(from: 22, to: 29, value: .ducked("alarm")),
            .init(from: 32, to: 39, value: .interrupted("call")), .init(from: 41, to: 49, value: .inactive),
        ]
        timeline.intent = [
            .init(from: 14, to: 28, value: .playing), .init(from: 33, to: 48, value: .paused),
            .init(from: 50, to: 59, value: .stopped),
        ]
        timeline.sounds = [.init(from: 51, to: 58, value: "gong")]
        timeline.outputs = [.init(name: "lamp", meaning: "playing", asserted: [.init(from: 52, to: 70, value: true)])]
        timeline.recording = [.init(from: 53, to: 60, value: .recorded), .init(from: 61, to: 71, value: .muted)]
        timeline.outages = [.init(from: 72, to: 80, value: .powerCut), .init(from: 81, to: 90, value: .killed)]
        timeline.servicesLost = [91...100]
        let expected = [
            "call active, 12 s – 20 s", "call suppressed, 21 s – 30 s", "call ignored: stuck, 31 s – 40 s",
            "the music may play, 13 s – 19 s", "turned down by alarm, 22 s – 29 s",
            "interrupted by call, 32 s – 39 s", "inactive, 41 s – 49 s", "the user wants music, 14 s – 28 s",
            "the user wants a pause, 33 s – 48 s", "the user wants silence, 50 s – 59 s", "gong, 51 s – 58 s",
            "lamp asserted, 52 s – 70 s",
            "recorded, 53 s – 60 s", "silence recorded: the microphone was muted, 61 s – 71 s",
            "no power, 72 s – 80 s", "killed or crashed, 81 s – 90 s", "no device, 91 s – 100 s",
        ]
        let bars = try SVGDocument(timeline.svg()).bars
        #expect(bars.map(\.tooltip).sorted() == expected.sorted())
        let scale = TimeScale(
            start: timeline.start, end: timeline.end, left: Picture.gutter, right: Picture.width - Picture.margin - 6)
        for bar in bars {
            let ends = try #require(bar.tooltip.firstMatch(of: /, ([0-9]+) s – ([0-9]+) s$/), "\(bar.tooltip)")
            let (from, to) = (scale.x(Double(ends.1) ?? .nan), scale.x(Double(ends.2) ?? .nan))
            // Coordinates have one decimal.
            #expect(abs(bar.from - from) < 0.11 && abs(bar.to - to) < 0.11, "\(bar) from \(from) to \(to)")
        }
    }

    @Test func emptyLanesAreLabelled() throws {
        let texts = try SVGDocument(Samples.minimal.svg(notifications: true)).texts
        #expect(texts.filter { $0 == "nothing recorded" }.count == 3)
        #expect(texts.filter { $0 == "none" }.count == 2)
    }

    @Test func effectsFitBesideTheirLanes() {
        let effects = [
            ("pause", nil), ("duck", "-18"), ("duck", "-3.5"), ("duck", "mute"), ("duck", nil),
            ("mute-microphone", nil), ("checkpoint", nil), ("ignore", nil),
        ].map { Timeline.SignalLane.words(forEffect: $0.0, level: $0.1) }
        #expect(Set(effects).count == effects.count)
        #expect(effects.contains("turns down to −18 dB"))
        #expect(effects.allSatisfy { TextMetrics.width($0) <= Picture.gutter - Picture.margin - 10 }, "\(effects)")
    }

    @Test func faultsOfOneBadgeAreNamedOrCounted() throws {
        func badge(_ faults: [String]) throws -> [String] {
            var timeline = Timeline(title: "Faults", start: 0, end: 100)
            timeline.signals = [
                .init(
                    name: "door", effect: "",
                    faults: faults.enumerated().map { .init(from: 10 + Double($0), to: 20, value: $1) })
            ]
            return try SVGDocument(timeline.svg()).texts
        }
        #expect(try badge(["chatter", "stuck", "chatter"]).contains("chatter ×2, stuck"))
        #expect(try badge(["a very strange fault", "another very strange fault"]).contains("2 faults"))
    }

    @Test func truncatedNamesHaveTooltips() throws {
        let document = try SVGDocument(Samples.dense.svg())
        let name = "the-emergency-intercom-of-the-north-stairwell"
        #expect(!document.texts.contains(name))
        #expect(document.tooltips.contains(name))
        #expect(document.texts.contains { $0.hasPrefix("the-emerg") && $0.hasSuffix("…") })
    }
}
