import Configuration
import Glibc
import Players
import Systemd
import Vocabulary

extension Inspection {
    /// Warns about pipes that the service cannot create or read, or into which no other program can write.
    mutating func inspectPipes() {
        for input in configuration.inputs {
            guard case .pipe(let path, _) = input.origin else { continue }
            guard let finding = problem(ofPipe: path) else { continue }
            warn(
                loaded.warning(
                    about: "From", in: "Input \(input.id)", "From=pipe:\(path): \(finding.problem)",
                    advice: finding.advice))
        }
    }

    /// The folder for pipes, which the service creates when it starts, and to which it can write.
    private static let pipeFolder = "/run/tacet/inputs"

    private mutating func problem(ofPipe path: String) -> (problem: String, advice: String)? {
        let advice = "write From=pipe:\(Self.pipeFolder)/NAME"
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
        for hidden in ["/tmp", "/var/tmp"] where (folder + "/").hasPrefix(hidden + "/") {
            return ("the service has its own \(hidden), into which no other program can write", advice)
        }
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFIFO else {
                return ("it is not a named pipe", "remove it, or choose another path")
            }
            return obstacle(to: path).flatMap { explain($0) }
        }
        if folder == Self.pipeFolder { return nil }
        guard errno == ENOENT || errno == ENOTDIR else {
            note("cannot find out whether the pipe \(path) exists: run this as root")
            return nil
        }
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return ("there is no folder \(folder)", "\(advice), or create the folder")
        }
        return (
            "Tacet cannot create it, because the service can write only to \(Self.pipeFolder)",
            "\(advice), or let the other program create it"
        )
    }

    /// Warns about streams that nothing receives.
    mutating func inspectStreams() {
        let isInstalled = streamReceivers.contains { access($0, X_OK) == 0 }
        let most = StreamReception.mostStreams
        let streams = configuration.inputs.filter { if case .stream = $0.origin { true } else { false } }
        for (index, input) in streams.enumerated() where !isInstalled || index >= most {
            let (words, advice) =
                index >= most
                ? ("tacet-stream receives only the first \(most) streams", "remove another stream")
                : ("tacet-stream is not installed, which receives it", "install the package tacet-stream")
            warn(
                loaded.warning(
                    about: "From", in: "Input \(input.id)", "From=\(input.origin): \(words)", advice: advice))
        }
    }

    /// Warns about players that are not running, because their names may be wrong.
    mutating func inspectPlayers() {
        let names = busNames
        lazy var present = names()
        for player in configuration.players {
            switch player.address {
            case .bus(let text):
                guard let present else {
                    note("cannot find out whether players are on the system bus, because there is no bus")
                    continue
                }
                let pattern = PlayerPattern(text, excluding: PlayerSettings.excludedNames)
                guard !present.contains(where: pattern.matches) else { continue }
                let others = present.compactMap { name -> String? in
                    guard name.hasPrefix(PlayerPattern.prefix) else { return nil }
                    let end = String(name.dropFirst(PlayerPattern.prefix.utf8.count))
                    return PlayerSettings.excludedNames.contains(end) ? nil : end
                }
                let list =
                    others.isEmpty
                    ? "" : "; the players there are \(others.sorted().prefix(10).joined(separator: ", "))"
                warn(
                    loaded.warning(
                        about: "Bus", in: "Player \(player.id)",
                        "Bus=\(text): no player of this name is on the system bus at present",
                        advice: "start it, or connect tacet-players to its bus (see tacet-players(8))\(list)"))
            case .mpd(let text):
                guard case .socket(let path)? = MPDAddress(text) else { continue }
                var status = stat()
                if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { continue }
                warn(
                    loaded.warning(
                        about: "MPD", in: "Player \(player.id)", "MPD=\(text): there is no such socket at present",
                        advice: "start the daemon, or compare this path with bind_to_address in mpd.conf"))
            }
        }
    }

    /// Returns the names on the system bus, or nil if it cannot be reached.
    static func busNames() -> [String]? {
        let driver = "org.freedesktop.DBus"
        guard let client = try? BusClient(.system),
            let values = try? client.call("ListNames", of: driver, at: "/org/freedesktop/DBus", on: driver)
        else { return nil }
        return values.first?.elements.compactMap(\.text)
    }
}
