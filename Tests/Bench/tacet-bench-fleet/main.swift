import Glibc

/// A fleet connected to a real broker, with the arguments `tacet-bench-fleet [BOARDS [KILLS]]`. It fails if an
/// announcement is played late, twice, by the wrong board, or not at all.
signal(SIGPIPE, SIG_IGN)
let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
let boards = numbers.first ?? 1000
let kills = numbers.dropFirst().first ?? 100
guard boards >= 10, kills >= 0, numbers.count <= 2 else {
    print("Usage: tacet-bench-fleet [BOARDS [KILLS]] (at least 10)")
    exit(64)
}
do {
    let rig = try FleetRig(boards: boards)
    defer { rig.end() }
    let errors = try Trials(rig, kills: kills).run()
    errors.forEach { print("not ok: \($0)") }
    if !errors.isEmpty { exit(1) }
} catch {
    print("not ok: \(error)")
    exit(1)
}
