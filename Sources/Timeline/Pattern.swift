/// The hatchings, for what colour alone should not say.
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
