/// The colours of Okabe and Ito, which people with any colour vision can distinguish, and tints of them as backgrounds
/// for text. Text is ink on a light background or white on blue, with a contrast of at least 4.5 to 1.
enum Palette {
    static let paper = "#FFFFFF"
    static let ink = "#1A1A1A"
    static let quietInk = "#555555"
    static let grid = "#ECECEC"
    static let separator = "#D0D0D0"
    static let grey = "#767676"

    static let blue = "#0072B2"
    static let skyBlue = "#56B4E9"
    static let green = "#009E73"
    static let orange = "#E69F00"
    static let vermillion = "#D55E00"
    static let purple = "#CC79A7"

    static let greenTint = "#D3EEE5"
    static let orangeTint = "#FBE7BD"
    static let vermillionTint = "#F7CDB0"
    static let purpleTint = "#F5DFEA"
    static let greyTint = "#F1F1F1"
    static let skyTint = "#DCEFFA"
    static let heard = "#8C8C8C"

    static let input = SVGCanvas.Paint(fill: skyTint, stroke: blue)
    static let sound = SVGCanvas.Paint(fill: purpleTint, stroke: purple)

    /// Returns the colour of a track, by its order of appearance. The colours repeat after the last one.
    static func track(_ index: Int) -> String {
        let colours = [blue, orange, green, purple, skyBlue]
        return colours[index % colours.count]
    }
}

/// Hatchings, which distinguish areas by more than their colour.
enum Pattern {
    static let suppressed = "url(#tacet-suppressed)"
    static let band = "url(#tacet-band)"

    static let definitions = """
        <defs>
        <pattern id="tacet-suppressed" width="6" height="6" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><rect width="6" height="6" fill="\(Palette.paper)"/>\
        <rect width="2.2" height="6" fill="\(Palette.skyBlue)"/></pattern>
        <pattern id="tacet-band" width="9" height="9" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(-45)"><rect width="9" height="9" fill="#EDEDED"/>\
        <rect width="1.5" height="9" fill="#C4C4C4"/></pattern>
        </defs>
        """
}
