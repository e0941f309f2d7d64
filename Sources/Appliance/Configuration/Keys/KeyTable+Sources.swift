import AudioSession

/// The keys that say where a level comes from, other than from a GPIO line.
extension KeyTable {
    static let sources: [Key<SignalSettings>] =
        [
            Key(
                "Source", optional: \.wiring.source, .choice(),
                withoutValue: "the one whose keys are set, or else line", since: "0.9.0",
                """
                Where the signal's level comes from. line: a GPIO line, Line=. switch: a switch or key of an input device, \
                Input= and Code=. jack: a jack of a sound card, Jack=. call: the voice calls of oFono, Call=. bus: any \
                program that may send commands, such as ‘tacet assert’; the kernel does not vouch for it, so Lease= \
                limits how long it counts. The keys of other sources are ignored. With bus and call, the defaults are \
                Debounce=0s and WhenLost=release; with a key, Debounce=0s.
                """)
        ] + input() + [
            Key(
                "Jack", optional: \.wiring.jack, .text(upTo: 43), since: "0.9.0",
                """
                The jack, by the name of ALSA's control; ‘tacet inputs’ lists the jacks. The signal is asserted while \
                something is plugged in; with ActiveLow=yes, while nothing is.
                """),
            Key(
                "Card", optional: \.wiring.card, .text(upTo: 31),
                withoutValue: "the only card with such a jack", since: "0.9.0",
                "The sound card of Jack=, by its number or ID (‘aplay -l’), if several have a jack of that name."),
            Key(
                "Call", optional: \.wiring.call, .choice(), since: "0.9.0",
                """
                Which calls assert the signal. ringing: an incoming call that nobody has accepted; then the default is \
                Alert=yes. active: a call that has been accepted or dialled, also while it is on hold.
                """),
            Key(
                "Lease", \.wiring.lease, .limit(.milliseconds(100) ... .seconds(365 * 86_400)), since: "0.9.0",
                """
                With Source=bus: how long an assertion counts if the program does not renew it, and specifies no other \
                time. Then, or when the program leaves the bus, the signal is lost: LostGrace= and WhenLost= apply. \
                infinity: it counts for as long as the program stays on the bus. After a restart of the daemon, a signal \
                that was active stays so for one lease, in which it can be renewed.
                """),
        ]

    /// The keys of a switch or key of an input device.
    static func input<Settings: WiredSettings>() -> [Key<Settings>] {
        [
            Key(
                "Input", optional: \.wiring.input, .text(upTo: 255), since: "0.9.0",
                """
                The input device, by its name or by a path such as /dev/input/by-path/platform-lid-event. ‘tacet inputs’ \
                lists the devices. A device can return with another number, so do not use /dev/input/eventN.
                """),
            Key(
                "Code", optional: \.wiring.code, .inputCode, since: "0.9.0",
                """
                The switch or key of Input=, by the kernel's name: SW_LID, KEY_PHONE, KEY_PLAYPAUSE. It is asserted while \
                the switch is on or the key is held; a key's automatic repetition changes nothing. With a key, the \
                default is Debounce=0s, because its driver has debounced it.
                """),
            Key(
                "Grab", \.wiring.isGrabbed, .boolean, since: "0.9.0",
                """
                Whether Tacet takes the input device for itself: no other program receives any of its keys and switches. \
                With no, a desktop or logind may act on the same key.
                """),
        ]
    }
}

extension ValueKind<String> {
    /// The kernel's name of a switch or key. Whether the kernel has such a name is known only on the board.
    static var inputCode: ValueKind<String> {
        let advice = "write the kernel's name of a switch or key, such as SW_LID or KEY_PLAYPAUSE"
        return ValueKind(values: "SW_…, KEY_… or BTN_…, as in input-event-codes.h") { (text) throws(BadValue) in
            guard ["SW_", "KEY_", "BTN_"].contains(where: { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }),
                text.utf8.count <= 40,
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || $0 == 0x5f })
            else { throw BadValue(problem: "is not the name of a switch or key", advice: advice) }
            return text
        }
    }
}

extension LevelSource.Kind: DocumentedValue {}
extension CallState: DocumentedValue {}
