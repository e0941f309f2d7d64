import Timeline

/// Realistic timelines.
enum Samples {
    static let all: [(name: String, timeline: Timeline)] = [
        ("day", day), ("dense", dense), ("hour", hour), ("minimal", minimal), ("fault", fault),
    ]

    /// A time span without any events.
    static let minimal = Timeline(title: "Nothing happened", start: 0, end: 10)

    /// Half a minute with a call, an alarm, the cover, a pause by the user and a power cut.
    static let day: Timeline = {
        var day = Timeline(title: "Why was it quiet? A rehearsal of thirty seconds", start: 0, end: 30)
        day.signals = [
            .init(
                name: "phone-call", effect: "pause",
                raw: [
                    .init(from: 0, to: 3, value: false), .init(from: 3, to: 3.04, value: true),
                    .init(from: 3.04, to: 3.07, value: false), .init(from: 3.07, to: 8, value: true),
                    .init(from: 8, to: 21, value: false), .init(from: 24, to: 30, value: false),
                ],
                asserted: [.init(from: 3.1, to: 8.05, value: .active)]),
            .init(
                name: "alarm", effect: "duck -14 dB",
                asserted: [
                    .init(from: 6, to: 8.05, value: .suppressed), .init(from: 8.05, to: 11, value: .active),
                ]),
            .init(
                name: "cover-closed", effect: "pause",
                asserted: [.init(from: 17.5, to: 19, value: .active)]),
        ]
        day.session = [
            .init(from: 0, to: 3.1, value: .active), .init(from: 3.1, to: 8.05, value: .interrupted("phone-call")),
            .init(from: 8.05, to: 11, value: .ducked("alarm")), .init(from: 11, to: 17.5, value: .active),
            .init(from: 17.5, to: 19, value: .interrupted("cover-closed")), .init(from: 19, to: 21, value: .active),
            .init(from: 24, to: 30, value: .active),
        ]
        day.intent = [
            .init(from: 0, to: 13, value: .playing), .init(from: 13, to: 15, value: .paused),
            .init(from: 15, to: 21, value: .playing), .init(from: 24, to: 30, value: .playing),
        ]
        let corners: [(Double, Double)] = [
            (0, 1), (3.1, 1), (3.3, 0), (8.15, 0), (8.35, 0.2), (11, 0.2), (11.4, 1), (13, 1), (13.2, 0), (15, 0),
            (15.2, 1), (17.5, 1), (17.7, 0), (19.1, 0), (19.3, 1), (24.8, 0), (25.3, 1), (30, 1),
        ]
        day.gain = corners.map { .init(time: $0.0, gain: $0.1) }
        day.heard = heard(from: 0, to: 30, every: 0.05, under: corners, silent: 21...24.8)
        day.playback = [
            .init(from: 0, to: 3.3, fromPosition: 71, toPosition: 74.3, track: "Nocturne in E flat", motion: .playing),
            .init(
                from: 3.3, to: 8.15, fromPosition: 74.3, toPosition: 74.3, track: "Nocturne in E flat", motion: .held),
            .init(
                from: 8.15, to: 13.2, fromPosition: 74, toPosition: 79.05, track: "Nocturne in E flat", motion: .playing
            ),
            .init(
                from: 13.2, to: 15, fromPosition: 79.05, toPosition: 79.05, track: "Nocturne in E flat", motion: .held),
            .init(
                from: 15, to: 17.7, fromPosition: 79.05, toPosition: 81.75, track: "Nocturne in E flat",
                motion: .playing),
            .init(
                from: 17.7, to: 19.1, fromPosition: 81.75, toPosition: 81.75, track: "Nocturne in E flat", motion: .held
            ),
            .init(
                from: 19.1, to: 21, fromPosition: 81.75, toPosition: 83.65, track: "Nocturne in E flat",
                motion: .playing),
            .init(
                from: 24.8, to: 30, fromPosition: 83, toPosition: 88.2, track: "Nocturne in E flat", motion: .playing),
        ]
        day.marks = [
            .init(time: 3.1, text: "began(default)", kind: .began),
            .init(time: 8.05, text: "ended(shouldResume)", kind: .ended),
            .init(time: 8.05, text: "duckBegan(-14 dB)", kind: .began),
            .init(time: 11, text: "duckEnded", kind: .ended),
            .init(time: 17.5, text: "began(default)", kind: .began),
            .init(time: 19, text: "ended(shouldResume)", kind: .ended),
            .init(time: 24.6, text: "restored(position 1:23)"),
        ]
        day.commands = [
            .init(time: 4.5, text: "play → refused: interrupted"), .init(time: 13, text: "pause → success"),
            .init(time: 15, text: "play → success"),
        ]
        day.outages = [.init(from: 21, to: 24, value: .powerCut)]
        return day
    }()

    /// Ten signals and a hundred notifications in two minutes.
    static let dense: Timeline = {
        var dense = Timeline(
            title:
                "Dense: <ten> signals & \"chatter\", with a title that is much too long to be set in one line of this picture",
            start: 100, end: 240)
        var random = Noise()
        for index in 0..<10 {
            var lane = Timeline.SignalLane(
                name: index == 3 ? "the-emergency-intercom-of-the-north-stairwell" : "signal-\(index)",
                effect: index % 3 == 0 ? "pause" : "duck -\(index) dB")
            var time = 100 + random.next() * 30
            while time < 240 {
                let end = time + 1 + random.next() * 12
                let value: Timeline.Assertion = [.active, .suppressed, .dropped("stuck")][Int(random.next() * 2.99)]
                lane.asserted.append(.init(from: time, to: end, value: value))
                time = end + random.next() * 20
            }
            if index == 2 {
                lane.faults = [
                    .init(from: 130, to: 150, value: "chatter"), .init(from: 131, to: .infinity, value: "stuck"),
                ]
            }
            dense.signals.append(lane)
        }
        var time = 100.0
        var gain: [(Double, Double)] = [(100, 1)]
        while time < 240 {
            let end = time + 0.5 + random.next() * 5
            dense.session.append(
                .init(from: time, to: end, value: random.next() < 0.5 ? .active : .interrupted("signal-2")))
            dense.marks.append(.init(time: time, text: "began(default)", kind: .began))
            dense.marks.append(.init(time: end, text: "ended(shouldResume)", kind: .ended))
            dense.commands.append(.init(time: end, text: "play → refused: interrupted"))
            gain += [(time + 0.2, 0), (end, 0), (end + 0.2, 1)]
            time = end + random.next() * 3
        }
        dense.gain = gain.map { .init(time: $0.0, gain: $0.1) }
        for index in 0..<7 {
            let from = 100 + Double(index) * 20
            dense.playback.append(
                .init(
                    from: from, to: from + 15, fromPosition: 0, toPosition: 15, track: "Track number \(index)",
                    motion: .playing))
            dense.playback.append(
                .init(
                    from: from + 15, to: from + 20, fromPosition: 15, toPosition: 15, track: "Track number \(index)",
                    motion: .held))
        }
        dense.servicesLost = [170...178]
        return dense
    }()

    /// An hour of a journal, with five hundred events.
    static let hour: Timeline = {
        var hour = Timeline(title: "Journal of an hour", start: 0, end: 3600)
        var random = Noise()
        hour.signals = [.init(name: "phone-call", effect: "pause"), .init(name: "door", effect: "duck -6 dB")]
        var gain: [(Double, Double)] = [(0, 1)]
        var position = 0.0
        var last = 0.0
        for index in 0..<250 {
            let from = Double(index) * 14 + random.next() * 8 + (index > 120 ? 100 : 0)
            let to = from + 1 + random.next() * 4
            let call = random.next() < 0.4
            hour.signals[call ? 0 : 1].asserted.append(.init(from: from, to: to, value: .active))
            hour.session.append(.init(from: last, to: from, value: .active))
            hour.session.append(.init(from: from, to: to, value: call ? .interrupted("phone-call") : .ducked("door")))
            hour.marks.append(.init(time: from, text: call ? "began(default)" : "duckBegan(-6)", kind: .began))
            hour.marks.append(.init(time: to, text: call ? "ended(shouldResume)" : "duckEnded", kind: .ended))
            gain += [(from, 1), (from + 0.2, call ? 0 : 0.5), (to, call ? 0 : 0.5), (to + 0.2, 1)]
            let track = "Prelude \(index / 17 + 1)"
            hour.playback.append(
                .init(
                    from: last, to: from, fromPosition: position, toPosition: position + from - last, track: track,
                    motion: .playing))
            position += from - last
            let held = Timeline.PlaybackSpan.Motion.held
            let ducked = position + to - from
            hour.playback.append(
                .init(
                    from: from, to: to, fromPosition: position, toPosition: call ? position : ducked, track: track,
                    motion: call ? held : .playing))
            if !call { position = ducked }
            if index % 17 == 16 { position = 0 }
            last = to
        }
        hour.gain = gain.map { .init(time: $0.0, gain: $0.1) }
        hour.outages = [
            .init(from: 1690, to: 1740, value: .powerCut), .init(from: 2500, to: 2503, value: .killed),
        ]
        hour.intent = [.init(from: 0, to: 1690, value: .playing), .init(from: 1740, to: .infinity, value: .playing)]
        hour.commands = [.init(time: 600, text: "pause → success"), .init(time: 605, text: "play → success")]
        return hour
    }()

    /// A line that chatters and then sticks, and an audio device that is lost.
    static let fault: Timeline = {
        var fault = Timeline(title: "A stuck wire and a lost sound device", start: 0, end: 300)
        let chatter = (0..<20).map { (number: Int) -> Timeline.Span<Bool> in
            let from = 40 + Double(number)
            return Timeline.Span(from: from, to: from + 1, value: number.isMultiple(of: 2))
        }
        fault.signals = [
            .init(
                name: "cover-closed", effect: "pause",
                raw: [.init(from: 0, to: 40, value: false)] + chatter + [.init(from: 60, to: 300, value: true)],
                asserted: [
                    .init(from: 62, to: 182, value: .active), .init(from: 182, to: 300, value: .dropped("stuck")),
                ],
                faults: [.init(from: 42, to: 62, value: "chatter"), .init(from: 182, to: .infinity, value: "stuck")])
        ]
        fault.session = [
            .init(from: 0, to: 62, value: .active), .init(from: 62, to: 182, value: .interrupted("cover-closed")),
            .init(from: 182, to: 300, value: .active),
        ]
        fault.intent = [.init(from: 0, to: 300, value: .playing)]
        fault.gain = [(0, 1), (62, 1), (62.5, 0), (182, 0), (182.5, 1), (220, 1), (220, 0), (251, 0), (251.5, 1)].map {
            .init(time: $0.0, gain: $0.1)
        }
        let name = "A talk on silence, with a long name that does not fit anywhere, part three of the seven"
        fault.playback = [
            .init(from: 0, to: 62, fromPosition: 3000, toPosition: 3062, track: name, motion: .playing),
            .init(from: 62, to: 182, fromPosition: 3062, toPosition: 3062, track: name, motion: .held),
            .init(from: 182, to: 220, fromPosition: 3062, toPosition: 3100, track: name, motion: .playing),
            .init(from: 220, to: 251, fromPosition: 3100, toPosition: 3100, track: name, motion: .held),
            .init(from: 251, to: 280, fromPosition: 3100, toPosition: 3129, track: name, motion: .playing),
            .init(from: 280, to: 300, fromPosition: 0, toPosition: 20, track: "Coda", motion: .playing),
        ]
        fault.marks = [
            .init(time: 42, text: "fault(chatter)"), .init(time: 62, text: "began(default)", kind: .began),
            .init(time: 182, text: "fault(stuck)"), .init(time: 182, text: "ended(shouldResume)", kind: .ended),
            .init(time: 220, text: "mediaServicesWereLost"), .init(time: 250, text: "mediaServicesWereReset"),
            .init(time: 280, text: "trackChanged(Coda)"), .init(time: 299, text: "nowPlaying(updated)"),
        ]
        fault.commands = [.init(time: 230, text: "play → failed: no device")]
        fault.servicesLost = [220...250]
        return fault
    }()

    private static func heard(
        from: Double, to: Double, every step: Double, under corners: [(Double, Double)],
        silent: ClosedRange<Double>
    ) -> [Timeline.PeakBucket] {
        var random = Noise()
        return stride(from: from, to: to, by: step).map { time in
            let after = corners.firstIndex { $0.0 > time } ?? corners.count - 1
            let (a, b) = (corners[max(after - 1, 0)], corners[after])
            let gain = b.0 > a.0 ? a.1 + (b.1 - a.1) * (time - a.0) / (b.0 - a.0) : b.1
            let level = silent.contains(time) ? 0 : gain * (0.45 + 0.45 * random.next())
            return .init(from: time, to: time + step, peak: level)
        }
    }

    /// Small, repeatable noise in 0..<1.
    private struct Noise {
        private var state: UInt64 = 42

        mutating func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31)
        }
    }
}
