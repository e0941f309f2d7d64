import AudioSession
import Signals
import Spelling

extension Draft {
    /// Adds the enabled inputs and players, and reports missing and conflicting settings in their sections.
    mutating func addInputs(to configuration: inout Configuration) {
        for section in players where section.settings.isEnabled {
            check(section)
            let player = PlayerID(section.name)
            configuration.session.players.append(player)
            guard
                let address = section.settings.bus.map(PlayerSettings.Address.bus)
                    ?? section.settings.mpd.map(PlayerSettings.Address.mpd)
            else { continue }
            configuration.players.append(PlayerSettings(player, at: address))
        }
        var connected: [PlayerID: String] = [:]
        for section in inputs where section.settings.isEnabled {
            let title = "[Input \(section.name)]"
            check(section, title, configuration)
            let origin = origin(of: section, title)
            connectPlayer(of: section, title, configuration.session.players, &connected)
            guard let origin else { continue }
            let input = section.settings.input(InputID(section.name), from: origin)
            configuration.session.inputs.append(input.policy)
            configuration.inputs.append(input)
        }
        checkPages(configuration)
    }

    private mutating func check(_ input: SectionDraft<InputKeys>, _ title: String, _ configuration: Configuration) {
        guard let declared = input.declared else { return }
        if input.name == Source.libraryName {
            report(.error, declared, "\(title) has the name of the library", "choose another name")
        }
        if configuration.session.sounds.contains(where: { $0.id.rawValue == input.name }) {
            report(.error, declared, "\(title) has the name of a sound", "choose another name")
        }
        if input.settings.role == .page {
            for key in ["Automatic", "SettleTime", "Player"] {
                warn(ignoring: key, of: input, title, because: "the input is a page", remedy: "Role=programme")
            }
        } else if !input.settings.isAutomatic {
            warn(ignoring: "SettleTime", of: input, title, because: "Automatic= is no", remedy: "Automatic=yes")
        }
    }

    private mutating func origin(of input: SectionDraft<InputKeys>, _ title: String) -> InputSettings.Origin? {
        let advice = "write From=pipe:PATH, From=alsa:DEVICE, or From=stream:URL"
        guard let from = input.settings.from else {
            if let declared = input.declared, !input.sets("From") {
                report(.error, declared, "\(title) does not specify where its audio comes from", advice)
            }
            return nil
        }
        let parts = from.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        if parts[0] == "pipe" {
            warn(ignoring: "Threshold", of: input, title, because: "it reads a pipe", remedy: "From=alsa:DEVICE")
            return .pipe(path: parts[1], input.settings.format)
        }
        if parts[0] == "stream" {
            warn(ignoring: "Threshold", of: input, title, because: "it is a stream", remedy: "From=alsa:DEVICE")
            warn(ignoring: "Format", of: input, title, because: "a stream has its own format", remedy: "From=pipe:PATH")
            return (try? StreamURL(parts[1])).map { .stream($0) }
        }
        warn(ignoring: "Format", of: input, title, because: "a device has its own format", remedy: "From=pipe:PATH")
        return .alsa(device: parts[1], threshold: input.settings.threshold)
    }

    private mutating func connectPlayer(
        of input: SectionDraft<InputKeys>, _ title: String, _ players: [PlayerID], _ connected: inout [PlayerID: String]
    ) {
        guard let name = input.settings.player, input.settings.role == .programme, let place = input.places["Player"]
        else { return }
        let player = PlayerID(name)
        guard players.contains(player) else {
            let names = players.map(\.rawValue)
            return report(
                .error, place, "Player=\(name): there is no player ‘\(name)’",
                Spelling.suggestion(for: name, in: names) ?? "add [Player \(name)]")
        }
        if let other = connected[player] {
            report(.error, place, "Player=\(name): it already plays into \(other)", "name another player")
        }
        connected[player] = title
    }

    private mutating func check(_ player: SectionDraft<PlayerKeys>) {
        guard let declared = player.declared else { return }
        if player.settings.bus != nil {
            warn(
                ignoring: "MPD", of: player, "[Player \(player.name)]", because: "Bus= names the program",
                remedy: "Bus= without a value")
        } else if player.settings.mpd == nil, !player.sets("Bus"), !player.sets("MPD") {
            report(
                .error, declared, "[Player \(player.name)] names no program",
                "write Bus= with an MPRIS name such as vlc, or MPD= with a socket")
        }
    }

    /// Connects a signal with the page that asserts it.
    mutating func connect(
        _ signal: inout SignalPolicy, _ source: LevelSource?, _ section: SectionDraft<SignalSettings>, _ title: String
    ) {
        let page = source?.as(PageSource.self)
        signal.input = page?.input
        guard signal.cue?.rawValue == PageSource.cueName, let place = section.places["Cue"] else { return }
        guard let page else {
            return report(
                .error, place, "Cue=\(PageSource.cueName) in \(title) needs a page",
                "write Source=input and Input= with the NAME of a section [Input NAME]")
        }
        signal.cue = SoundID(page.input.rawValue)
    }

    private mutating func checkPages(_ configuration: Configuration) {
        for section in signals where section.settings.isEnabled {
            guard let signal = configuration.session.signals.first(where: { $0.id.rawValue == section.name }),
                let input = signal.input, let place = section.places["Input"]
            else { continue }
            let written = inputs.first { $0.name == input.rawValue && $0.settings.isEnabled }
            if written == nil {
                report(
                    .error, place, "Input=\(input): there is no input ‘\(input)’",
                    Spelling.suggestion(for: input.rawValue, in: inputs.map(\.name)) ?? "add [Input \(input)]")
            } else if written?.settings.role != .page {
                report(
                    .error, place, "Input=\(input): [Input \(input)] is not a page", "write Role=page in its section")
            }
        }
        for section in inputs where section.settings.isEnabled && section.settings.role == .page {
            let isUsed = configuration.session.signals.contains { $0.input?.rawValue == section.name }
            guard !isUsed, let declared = section.declared else { continue }
            report(
                .warning, declared, "[Input \(section.name)] is a page that no signal uses, so it is never heard",
                "write Source=input, Input=\(section.name) and Cue=input in a [Signal NAME] section")
        }
        if let section = sounds.first(where: { $0.name == PageSource.cueName && $0.settings.isEnabled }),
            let declared = section.declared
        {
            report(
                .error, declared, "[Sound \(PageSource.cueName)] has the name that Cue= has for pages",
                "choose another name")
        }
    }
}

extension InputKeys {
    fileprivate func input(_ id: InputID, from origin: InputSettings.Origin) -> InputSettings {
        let policy: InputPolicy.Role =
            switch role {
            case .page: .page
            case .programme: isAutomatic ? .automaticProgramme : .programme
            }
        return InputSettings(
            InputPolicy(id: id, role: policy, player: role == .page ? nil : player.map { PlayerID($0) }), from: origin,
            arrival: ArrivalPolicy(
                attack: attack, idle: idle, settle: policy == .automaticProgramme ? settleTime : nil),
            latency: latency)
    }
}
