import ALSA
import BusLab
import Clocks
import Foundation
import SoundLab
import Systemd

@testable import Appliance

/// A separate session bus with reservations of one card, and PipeWire's `pw-reserve` as the other program.
final class ReservationLab {
    static let name = "org.freedesktop.ReserveDevice1.Audio3"
    static let path = "/org/freedesktop/ReserveDevice1/Audio3"
    static let device = "hw:CARD=Lab"

    let bus: MessageBus
    let loop: EventLoop
    let reservations: DeviceReservations
    /// The news so far.
    private(set) var changes = 0
    private(set) var retries = 0
    private let folder: String
    private var programs: [String: Subprocess] = [:]
    private var calls = 0

    init() throws {
        let bus = try MessageBus.session()
        self.bus = bus
        loop = try EventLoop()
        folder = FileManager.default.temporaryDirectory.path + "/tacet-reservation-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        reservations = try DeviceReservations(
            in: loop, on: Self.system(at: { bus.address }))
        reservations.onNews = { [unowned self] news in
            switch news {
            case .changed: changes += 1
            case .retry: retries += 1
            }
        }
    }

    deinit {
        for program in programs.values { program.end() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A system with this bus, whose only card has the number 3.
    static func system(at address: @escaping () -> String?) -> DeviceReservations.System {
        var system = DeviceReservations.System()
        system.address = address
        system.cards = { [SoundCard(number: 3, id: "Lab")] }
        return system
    }

    func use(_ use: DeviceReservation.Use) {
        reservations.use([DeviceReservations.Device(name: Self.device, use: use)])
    }

    var isWithheld: Bool { reservations.withheld(of: ["null", Self.device]) == [1] }

    /// The error with which the device cannot be opened because another program uses it.
    var error: PCMError {
        reservations.explained(
            PCMError(operation: "open", device: Self.device, code: EBUSY, message: "busy", advice: "wait"))
    }

    /// Starts `pw-reserve`, which requests the card and then keeps it.
    func start(_ name: String, priority: Int32, requestsRelease: Bool = false) throws {
        let log = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        defer { close(log) }
        programs[name] = try Subprocess(
            ["stdbuf", "-oL", "pw-reserve", "-n", "Audio3", "-a", name, "-p", "\(priority)"]
                + (requestsRelease ? ["-r"] : []),
            environment: bus.environment, output: log, errors: log)
    }

    func end(_ name: String) { programs.removeValue(forKey: name)?.end() }

    /// Stops or continues a program, as if it hung.
    func signal(_ name: String, _ number: Int32) { if let program = programs[name] { kill(program.pid, number) } }

    /// The output of a program so far.
    func output(of name: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
    }

    /// Turns the loop until a condition holds, which may depend on other processes. The limit only ends a test that would
    /// hang.
    func wait(_ what: String, until condition: @autoclosure () throws -> Bool) throws {
        let limit = SystemClock.monotonic.now + .seconds(30)
        while try !condition() {
            guard SystemClock.monotonic.now < limit else { throw ApplianceLab.Nothing(description: "no \(what)") }
            try loop.turn(within: .milliseconds(20))
        }
    }

    /// Calls a method with busctl while the loop turns.
    /// - Returns: the answer as busctl prints it.
    func call(_ arguments: String...) throws -> String {
        calls += 1
        let log = open("\(folder)/call-\(calls)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        defer { close(log) }
        let process = try Subprocess(
            ["busctl", "--address=\(bus.address)", "--", "call"] + arguments, output: log, errors: log)
        defer { process.end() }
        try wait("answer to \(arguments)", until: output(of: "call-\(calls)").hasSuffix("\n"))
        return String(output(of: "call-\(calls)").dropLast())
    }

    /// The name of the process that owns the card's name, or nil if nobody owns it.
    func owner() throws -> String? {
        let answer = try bus.run([
            "busctl", "--address=\(bus.address)", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus",
            "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", Self.name,
        ])
        guard answer.code == 0, let process = Int32(answer.text.split(separator: " ").last?.dropLast() ?? "") else {
            return nil
        }
        if process == getpid() { return "tacet" }
        return programs.first { $0.value.pid == process }?.key ?? "another"
    }
}
