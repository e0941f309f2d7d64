/// One horizontal strip of the picture.
protocol Lane {
    /// Pixels, its inner margins included.
    var height: Double { get }
    /// Draws the lane's label into the gutter and its content into the plot, from `top` downwards.
    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale)
}

extension Lane {
    /// The lane's name in the gutter and, below it, what there is to say about it.
    func label(_ name: String, note: String = "", on canvas: inout SVGCanvas, baseline: Double) {
        let limit = Picture.gutter - Picture.margin - 10
        canvas.text(name, x: Picture.margin, y: baseline, size: 13, bold: true, limit: limit)
        if !note.isEmpty {
            canvas.text(note, x: Picture.margin, y: baseline + 15, fill: Palette.quietInk, limit: limit)
        }
    }
}

extension SVGCanvas {
    /// Says, where a lane's content would begin, that there is none.
    mutating func nothing(_ words: String = "nothing recorded", scale: TimeScale, baseline: Double) {
        text(words, x: scale.left + 6, y: baseline, fill: Palette.quietInk, halo: true)
    }
}
