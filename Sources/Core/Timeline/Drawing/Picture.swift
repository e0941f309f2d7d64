/// The page, which stacks the lanes and draws the elements that extend across all of them.
struct Picture {
    static let width = 900.0
    /// The distance from the edges of the picture, in pixels.
    static let margin = 16.0
    /// The distance from the left edge to the plot, in pixels.
    static let gutter = 164.0

    private let timeline: Timeline
    private let scale: TimeScale
    private let ticks: [Axis.Tick]
    private let dates: [Axis.Tick]
    private let midnights: [Double]
    private let bands: Bands
    private let lanes: [any Lane]
    private let hairlines: [Double]
    /// The lower end of the hairlines. Below it, the leaders of the notifications continue them.
    private let hairlineBottom: Double
    private let legend: Legend
    private let description: String

    /// The lower edge of the axis, which is higher if it shows dates.
    private let axisBottom: Double

    /// - Parameter notifications: true to draw the rows of the notifications and of the commands.
    init(_ timeline: Timeline, notifications: Bool = false) {
        self.timeline = timeline
        let scale = TimeScale(
            start: timeline.start, end: timeline.end, left: Self.gutter, right: Self.width - Self.margin - 6,
            clock: timeline.clock)
        self.scale = scale
        let clockAxis = scale.clock.map { ClockAxis(scale, $0) }
        ticks = clockAxis?.ticks ?? Axis(scale).ticks
        dates = clockAxis?.dates ?? []
        axisBottom = dates.isEmpty ? 66 : 74
        midnights = clockAxis?.midnights ?? []
        bands = Bands(outages: timeline.outages, servicesLost: timeline.servicesLost, scale: scale)
        let gaps = bands.extents
        var lanes: [any Lane] = timeline.signals.map { SignalRow($0, on: scale, avoiding: gaps) }
        lanes.append(SessionRow(session: timeline.session, intent: timeline.intent, on: scale, avoiding: gaps))
        if let inputs = timeline.inputs {
            lanes.append(
                NameRow("inputs", note: "instead of the library", Palette.input, inputs, on: scale, avoiding: gaps))
        }
        if let sounds = timeline.sounds {
            lanes.append(NameRow("sounds", note: "over the music", Palette.sound, sounds, on: scale, avoiding: gaps))
        }
        lanes.append(GainRow(gain: timeline.gain, heard: timeline.heard, outages: timeline.outages))
        lanes.append(PlaybackRow(playback: timeline.playback))
        if let recording = timeline.recording { lanes.append(RecordingRow(recording: recording)) }
        lanes += timeline.outputs.map(OutputRow.init)
        hairlineBottom = axisBottom + bands.height + lanes.reduce(0) { $0 + $1.height }
        var labelled: [Double] = []
        if notifications {
            let marks = MarkRow(
                name: "notifications", note: "of the session", marks: timeline.marks, scale: scale, maximumRows: 12)
            labelled = marks.labelled(.began)
            lanes.append(marks)
            lanes.append(
                MarkRow(
                    name: "commands", note: "and their answers", marks: timeline.commands, scale: scale, maximumRows: 4
                ))
        }
        hairlines = Hairlines.positions(labelled: labelled, session: timeline.session, on: scale)
        description = Description.text(of: timeline, on: scale, notifications: notifications)
        self.lanes = lanes
        legend = Legend(
            timeline, hairlines: !hairlines.isEmpty, within: Self.margin...(Self.width - Self.margin))
    }

    func svg() -> String {
        let top = axisBottom + bands.height
        let bottom = lanes.reduce(top) { $0 + $1.height }
        let height = bottom + legend.height + 10
        var canvas = SVGCanvas()
        open(&canvas, height: height)
        drawAxis(on: &canvas, bottom: bottom)
        bands.draw(on: &canvas, y: axisBottom...bottom)
        for x in hairlines {
            canvas.line(
                x1: x, y1: axisBottom, x2: x, y2: hairlineBottom,
                .init(stroke: Palette.vermillion, dash: "3 2", opacity: hairlines.count > 16 ? 0.4 : 0.8))
        }
        drawLanes(on: &canvas, top: top)
        bands.drawLabels(on: &canvas, top: axisBottom)
        legend.draw(on: &canvas, top: bottom)
        canvas.raw("</g>")
        canvas.raw("</svg>")
        return canvas.markup
    }

    private func open(_ canvas: inout SVGCanvas, height: Double) {
        let size = "\(NumberText.decimal(Self.width)) \(NumberText.decimal(height, places: 0))"
        let sides = size.split(separator: " ")
        canvas.raw(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(sides[0])\" height=\"\(sides[1])\""
                + " viewBox=\"0 0 \(size)\" role=\"img\" aria-labelledby=\"tacet-title tacet-desc\">")
        canvas.raw("<title id=\"tacet-title\">\(XMLText.escaped(timeline.title))</title>")
        canvas.raw("<desc id=\"tacet-desc\">\(XMLText.escaped(description))</desc>")
        canvas.raw(Pattern.definitions)
        canvas.raw(
            "<g font-family=\"Helvetica, Arial, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"12\">")
        canvas.rectangle(x: 0...Self.width, y: 0...height, .init(fill: Palette.paper))
        canvas.text(
            timeline.title, x: Self.margin, y: 28, size: 17, bold: true, limit: Self.width - 2 * Self.margin)
    }

    private func drawAxis(on canvas: inout SVGCanvas, bottom: Double) {
        for x in midnights {
            canvas.line(x1: x, y1: axisBottom - 29, x2: x, y2: bottom, .init(stroke: Palette.grey))
        }
        for date in dates {
            let width = TextMetrics.width(date.label, bold: true)
            canvas.text(
                date.label, x: min(date.x + 4, Self.width - 2 - width), y: axisBottom - 22, bold: true,
                fill: Palette.quietInk)
        }
        for tick in ticks {
            canvas.line(x1: tick.x, y1: axisBottom, x2: tick.x, y2: bottom, .init(stroke: Palette.grid))
            canvas.line(
                x1: tick.x, y1: axisBottom - 5, x2: tick.x, y2: axisBottom, .init(stroke: Palette.grey))
            let half = TextMetrics.width(tick.label) / 2
            let x = min(tick.x, Self.width - 2 - half)
            canvas.text(tick.label, x: x, y: axisBottom - 9, fill: Palette.quietInk, anchor: .middle)
        }
        canvas.line(
            x1: scale.left, y1: axisBottom, x2: scale.right, y2: axisBottom, .init(stroke: Palette.grey))
    }

    private func drawLanes(on canvas: inout SVGCanvas, top: Double) {
        var y = top
        for lane in lanes {
            canvas.line(
                x1: Self.margin, y1: y, x2: scale.right, y2: y, .init(stroke: Palette.separator))
            lane.draw(on: &canvas, top: y, scale: scale)
            y += lane.height
        }
        canvas.line(x1: Self.margin, y1: y, x2: scale.right, y2: y, .init(stroke: Palette.separator))
    }
}
