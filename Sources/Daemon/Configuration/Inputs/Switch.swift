import Evdev

extension LevelSource {
    public static func input(_ input: InputSelector) -> LevelSource { LevelSource(input) }
}

/// A switch or key of an input device.
extension InputSelector: SourceKind {
    struct Keys: WrittenKeys {
        var device: String?
        var code: String?
        var isGrabbed = false
    }

    static let name = "switch"
    static let summary = "a switch or key of an input device, which Input= and Code= specify"
    static let location = ["Input", "Code"]
    static let servesButtons = true
    static let keys: [Key<Keys>] = [
        Key(
            "Input", optional: \.device, .text(upTo: 255),
            """
            Specifies the input device by its name, or by a path such as /dev/input/by-path/platform-lid-event. Use \
            tacet inputs to list the devices. Do not use /dev/input/eventN, because a device may return with another \
            number.
            """),
        Key(
            "Code", optional: \.code, .inputCode,
            """
            Specifies the switch or key of Input= by the name that the kernel gives it, such as SW_LID, KEY_PHONE or \
            KEY_PLAYPAUSE. The signal is asserted while the switch is on or the key is held. The automatic repetition \
            of a key does not have an effect. For a key, Debounce= defaults to 0s, because the driver has debounced \
            it.
            """),
        Key(
            "Grab", \.isGrabbed, .boolean,
            """
            If enabled, Tacet takes the input device for itself, and other programs do not receive its keys and \
            switches. If disabled, a desktop or systemd-logind may act on the same key.
            """),
    ]

    static func read<Settings: WiredSettings>(
        _ section: SectionDraft<Settings>, _ title: String, _ draft: inout Draft
    ) -> InputSelector? {
        let keys = section.settings.source[InputSelector.self]
        guard let device = draft.required("Input", keys.device, of: section, title, "the device's name or path"),
            let code = draft.required("Code", keys.code, of: section, title, "the switch or key, such as SW_LID")
        else { return nil }
        return InputSelector(device: device, code: code, isGrabbed: keys.isGrabbed)
    }

    var noun: String { isSwitch ? "switch" : "key" }
    func details(_ level: String) -> String { level + (isGrabbed ? ", grabbed" : "") }
    var lossAdvice: String { "is Input= right? see ‘tacet inputs’" }
    var stuckAdvice: String { "check the switch or key" }
    /// False for a key, because its driver waits until it no longer bounces, and because a remote control presses it
    /// only briefly.
    var bounces: Bool { isSwitch }
    func collides(with other: InputSelector) -> Bool { device == other.device && code == other.code }
}

extension InputSelector {
    /// Returns advice for a technician in terms of a section's keys.
    public static func advice(_ reason: InputError.Reason) -> String? {
        switch reason {
        case .notFound: "is it plugged in? ‘tacet inputs’ lists the devices"
        case .gone: "is the device plugged in? ‘tacet inputs’ lists the devices"
        case .ambiguous: "write Input= with the path of one of them, such as its link in /dev/input/by-path"
        case .unknownCode: "write a name of input-event-codes.h, which ‘tacet inputs’ lists for each device"
        case .noSuchCode: "‘tacet inputs’ lists the switches and keys of each device"
        case .busy: "write Grab=no, or end the program that has grabbed the device"
        case .permission, .system: nil
        }
    }
}

extension ValueKind<String> {
    /// The kernel's name of a switch or key. It can be determined only on the board whether the kernel supports such a
    /// name.
    fileprivate static var inputCode: ValueKind<String> {
        let advice = "write the kernel's name of a switch or key, such as SW_LID or KEY_PLAYPAUSE"
        return ValueKind(values: "a name that begins with SW_, KEY_ or BTN_, as in input-event-codes.h") {
            (text) throws(BadValue) in
            guard ["SW_", "KEY_", "BTN_"].contains(where: { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }),
                text.utf8.count <= 40,
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || $0 == 0x5f })
            else { throw BadValue(problem: "is not the name of a switch or key", advice: advice) }
            return text
        }
    }
}
