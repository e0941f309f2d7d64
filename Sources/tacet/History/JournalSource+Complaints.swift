extension JournalSource {
    func complain(of damaged: Int) {
        guard damaged > 0 else { return }
        let what = damaged == 1 ? "an entry is" : "\(damaged) entries are"
        Terminal.complain("tacet: \(name): \(what) damaged or cut short, and left out")
    }

    func complain(ofNothingAmong count: Int) {
        guard count == 0 else {
            return Terminal.complain("tacet: \(name): nothing in that time; leave out --since and --until to see all")
        }
        switch self {
        case .journal:
            Terminal.complain(
                "tacet: the journal has no entries of Tacet: has the service run (systemctl status tacet), and may you "
                    + "read it (as root, or in the group systemd-journal)?")
        case .export:
            Terminal.complain(
                "tacet: \(name): there are no entries of Tacet in it; make it with: journalctl -t tacetd -o export >FILE"
            )
        }
    }

    private var name: String {
        switch self {
        case .journal: "the journal"
        case .export("-"): "standard input"
        case .export(let path): path
        }
    }
}
