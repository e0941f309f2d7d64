import ALSA
import AudioSession
import Evdev
import Spelling
import Testing

@testable import Configuration

/// The sources of levels, which are `Source=` and the keys of each source.
@Suite struct SourceTests {
    private func attempt(_ text: String, _ dropIn: String = "") -> ConfigurationAttempt {
        ConfigurationAttempt(
            [("a.conf", text), ("b.conf", dropIn)].map { ConfigurationText(path: $0, bytes: Array($1.utf8)) })
    }

    private func load(_ text: String, _ dropIn: String = "") throws -> LoadedConfiguration {
        try attempt(text, dropIn).get()
    }

    private func mistakes(_ text: String, _ dropIn: String = "") -> [String] {
        do throws(ConfigurationError) {
            return try attempt(text, dropIn).get().warnings.map(\.description)
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    @Test func eachSourceIsReadWithItsDefaults() throws {
        let loaded = try load(
            """
            [Signal lid]
            Effect=pause
            Source=switch
            Input=Lid Switch
            Code=SW_LID
            Grab=yes
            [Signal phones]
            Effect=ignore
            Jack=Headphone Jack
            Card=PCH
            [Signal ring]
            Effect=pause
            Call=ringing
            [Signal call]
            Effect=pause
            Call=active
            Alert=no
            [Signal voip]
            Effect=pause
            Source=bus
            Lease=infinity
            [Signal mqtt]
            Effect=pause
            Source=bus
            WhenLost=assert
            [Button headset]
            Input=/dev/input/by-id/headset
            Code=KEY_PLAYPAUSE
            Command=playPause
            """)
        let configuration = loaded.configuration
        #expect(
            configuration.sources == [
                "lid": .input(InputSelector(device: "Lid Switch", code: "SW_LID", isGrabbed: true)),
                "phones": .jack(JackSelector(control: "Headphone Jack", card: "PCH")),
                "ring": .call(.ringing), "call": .call(.active), "voip": .bus(lease: nil),
                "mqtt": .bus(lease: .seconds(30)),
            ])
        #expect(
            configuration.buttons.map(\.source) == [
                .input(InputSelector(device: "/dev/input/by-id/headset", code: "KEY_PLAYPAUSE"))
            ])
        let alerts = configuration.session.signals.filter(\.isAlert).map(\.id)
        #expect(alerts == ["ring"])
        let lost = configuration.lines.mapValues(\.whenLost)
        #expect(lost["voip"] == .release && lost["ring"] == .release && lost["lid"] == .hold && lost["mqtt"] == .assert)
        #expect(configuration.lines["voip"]?.debounce == .zero && configuration.lines["lid"]?.debounce != .zero)
        #expect(configuration.buttons.map(\.linePolicy.debounce) == [.zero])
        #expect(loaded.warnings.isEmpty)
        #expect(configuration.summary.contains("from SW_LID of Lid Switch (active high, grabbed)"))
        #expect(configuration.summary.contains("from the bus (lease infinity), debounce 0s"))
    }

    /// The vendor's file uses GPIO lines, which a drop-in replaces with another source.
    @Test func sourceOfADropInReplacesTheVendorsLine() throws {
        let vendor = "[Signal phone-call]\nLine=PHONE_CALL\nBias=pull-down\n"
        let loaded = try load(vendor, "[Signal phone-call]\nSource=bus\n")
        #expect(loaded.configuration.sources["phone-call"] == .bus(lease: .seconds(30)) && loaded.warnings.isEmpty)
        #expect(
            mistakes(vendor, "[Signal phone-call]\nCall=active\n") == [
                "b.conf:2: error: [Signal phone-call] has several sources: Line= and Call= "
                    + "(write Source= with the one that counts: line or call, or unset a key in a drop-in by leaving it empty)"
            ])
        #expect(
            mistakes("[Signal phone-call]\nSource=bus\nLine=X\n") == [
                "a.conf:3: warning: Line= in [Signal phone-call] is ignored because Source= is bus "
                    + "(remove it, or write Source=line)"
            ])
    }

    /// An inverted signal of a program would be asserted from boot on, and its program could only stop it.
    @Test(arguments: ["bus", "call", "input"]) func keysOfALineDoNotChangeWhatAProgramSets(source: String) throws {
        let keys = ["ActiveLow=yes", "Bias=pull-up", "Complement=X", "Debounce=1s", "Poll=20ms"]
        let page = "[Input pa]\nFrom=pipe:/run/pa\nRole=page\n"
        let place = "Source=\(source)\nCall=active\nInput=pa\n\(page)[Signal alarm]\n"
        let vendor = "[Signal alarm]\nEffect=pause\n\(keys.joined(separator: "\n"))\n"
        let loaded = try load(vendor, "[Signal alarm]\n\(place)")
        let line = loaded.configuration.lines["alarm"]
        #expect(line?.isActiveLow == false && line?.debounce == .zero && line?.hasComplement == false)
        #expect(loaded.configuration.complements.isEmpty)
        let found = try load("", "[Signal alarm]\nEffect=pause\n\(place)\(keys.joined(separator: "\n"))\n").warnings
        for key in keys.map({ $0.prefix { $0 != "=" } }) {
            let words = "\(key)= in [Signal alarm] is ignored because its source is \(source) "
            #expect(found.contains { $0.description.contains(words) }, "\(found)")
        }
    }

    @Test func aSwitchCanBeInvertedAndDebounced() throws {
        let text = "[Signal lid]\nEffect=pause\nInput=Lid\nCode=SW_LID\nActiveLow=yes\nDebounce=1s\nBias=pull-up\n"
        let loaded = try load(text)
        #expect(loaded.configuration.lines["lid"]?.isActiveLow == true)
        #expect(loaded.configuration.lines["lid"]?.debounce == .seconds(1))
        #expect(
            loaded.warnings.map(\.description) == [
                "a.conf:7: warning: Bias= in [Signal lid] is ignored because its source is switch "
                    + "(remove it, or write Source=line)"
            ])
    }

    @Test func incompleteSourcesAreErrors() {
        let kinds = LevelSource.kinds.map { $0.name }.alternatives
        for (text, words) in [
            ("Source=switch\n", "2: error: [Signal alarm] has no Input="),
            ("Input=Lid\n", "2: error: [Signal alarm] has no Code="),
            ("Code=SW_LID\n", "2: error: [Signal alarm] has no Input="),
            ("Source=jack\n", "2: error: [Signal alarm] has no Jack="),
            ("Source=call\n", "2: error: [Signal alarm] has no Call="),
            ("Source=radio\n", "2: error: Source=radio is unknown (it can be \(kinds))"),
            ("Source=switc\n", "did you mean ‘switch’?"),
            ("Call=waiting\n", "2: error: Call=waiting is unknown (it can be ringing or active)"),
            ("Input=Lid\nCode=LID\n", "3: error: Code=LID is not the name of a switch or key"),
            ("Input=Lid\nCode=SW_\n", "3: error: Code=SW_ is not the name of a switch or key"),
            ("Input=Lid\nCode=KEY_a\n", "3: error: Code=KEY_a is not the name"),
            ("Source=bus\nLease=0s\n", "3: error: Lease=0s is out of range"),
            ("Source=bus\nLease=soon\n", "3: error: Lease=soon is not a time"),
        ] {
            let found = mistakes("[Signal alarm]\n" + text)
            #expect(found.count == 1 && found[0].contains(words), "\(text): \(found)")
        }
    }

    @Test func eachSwitchAndJackHasOneUse() {
        let found = mistakes(
            """
            [Signal alarm]
            Input=Keys
            Code=KEY_A
            [Signal phone-call]
            Jack=Mic Jack
            [Button play]
            Input=Keys
            Code=KEY_A
            Command=play
            [Signal cover-closed]
            Jack=Mic Jack
            Card=1
            """)
        #expect(
            found == [
                "a.conf:7: error: [Button play] uses KEY_A of Keys, which [Signal alarm] already uses (a.conf:2) "
                    + "(each key can have only one use: specify another)",
                "a.conf:11: error: [Signal cover-closed] uses Mic Jack of card 1, which [Signal phone-call] already "
                    + "uses (a.conf:5) (each jack can have only one use: specify another)",
            ])
        // Any number of signals can follow the calls.
        #expect(mistakes("[Signal alarm]\nCall=active\n[Signal phone-call]\nCall=active\n").isEmpty)
    }

    @Test func buttonHasNoSourceOtherThanLinesAndKeys() {
        for key in ["Source=bus", "Jack=Mic Jack", "Call=active", "Lease=5s"] {
            let found = mistakes("[Button play]\nLine=PLAY\nCommand=play\n\(key)\n")
            #expect(found.count == 1 && found[0].hasPrefix("a.conf:4: error"), "\(found)")
        }
    }
}
