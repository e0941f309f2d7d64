import ALSA
import Clocks
import Glibc
import Spelling
import Systemd
import Threads

/// Reserves the sound cards that Tacet uses on the session bus, so that a sound server releases a card on request, and
/// Tacet does the same. It survives a reload, because a sound server would otherwise take the card in between.
///
/// It connects when a card is to be used and there is a session bus. Without one, it does nothing. None of its methods
/// waits. What to do is decided by a `DeviceReservation` for each card.
final class DeviceReservations {
    static let interface = "org.freedesktop.ReserveDevice1"

    /// A device of the player and the use that it makes of the device.
    struct Device: Equatable {
        /// ALSA's name.
        let name: String
        var use: DeviceReservation.Use
    }

    enum News {
        /// Other devices must stay closed, or another program is known.
        case changed
        /// A lost device may be available.
        case retry
    }

    /// The functions of the system that are used. Tests replace them.
    struct System {
        var address: () -> String? = { BusKind.sessionAddress }
        var cards: () -> [SoundCard] = { SoundCard.all }
    }

    /// A card whose reservation is not finished.
    private struct Card {
        var reservation = DeviceReservation()
        /// The requests that wait for an answer, by their numbers.
        var replies: [Int: BusReply] = [:]
        /// The name of the program that owns the card or requests it, as it calls itself.
        var program: String?
        var subscription: BusSubscription?
    }

    private struct Connection {
        let bus: Bus
        /// The cards whose objects are served.
        var served: Set<Int> = []
    }

    private let loop: EventLoop
    private let system: System
    private var connection: Connection?
    private var backoff = Backoff(from: .seconds(1), to: .seconds(60))
    private var retry: EventTimer?
    private var timer: EventTimer?
    private var cards: [Int: Card] = [:]
    private var devices: [Device] = []
    /// The cards of the devices that have been used, by ALSA's names.
    private var numbers: [String: Int] = [:]
    private var requests = 0
    /// Called when something has changed that the owner has to act upon. It must not call `use`.
    var onNews: (News) -> Void = { _ in }

    init(in loop: EventLoop, on system: System = System()) throws(SystemdError) {
        self.loop = loop
        self.system = system
        retry = try loop.timer { [unowned self] in connect() }
        timer = try loop.timer { [unowned self] in takeTime() }
    }

    // MARK: For the owner

    /// Records which devices the player uses. The devices are in the order of preference.
    func use(_ devices: [Device]) {
        guard devices != self.devices else { return }
        self.devices = devices
        for device in devices where device.use > .none {
            numbers[device.name] = cardNumber(of: device.name) ?? numbers[device.name]
        }
        var uses: [Int: DeviceReservation.Use] = cards.mapValues { _ in .none }
        for device in devices {
            if let number = numbers[device.name] { uses[number] = max(uses[number] ?? .none, device.use) }
        }
        for (number, use) in uses.sorted(by: { $0.key < $1.key }) where cards[number] != nil || use > .none {
            take(.used(use), of: number)
        }
        if connection == nil, cards.values.contains(where: { $0.reservation.use > .none }), retry?.deadline == nil {
            connect()
        }
    }

    /// The number of the card that a name addresses directly. The list of cards is only read if there is a bus.
    private func cardNumber(of name: String) -> Int? {
        guard let card = PCMAddress(name).card, connection != nil || system.address() != nil else { return nil }
        return system.cards().first { $0.matches(card) }?.number
    }

    /// Returns the indices of those devices that must stay closed.
    func withheld(of names: [String]) -> Set<Int> {
        Set(names.indices.filter { card(of: names[$0])?.reservation.isWithheld == true })
    }

    /// Reports which devices are open, so that a card can be released for another program.
    /// - Parameter isUsed: Returns true if the device with this index is open.
    func noteUse(_ isUsed: (Int) -> Bool) {
        for (number, card) in cards where card.reservation.isClosing {
            if !devices.indices.contains(where: { numbers[devices[$0].name] == number && isUsed($0) }) {
                take(.closed, of: number)
            }
        }
    }

    /// Returns the error with the program that has reserved the device, if that is the reason why it cannot be opened.
    func explained(_ error: PCMError) -> PCMError {
        guard error.code == EBUSY, let card = card(of: error.device) else { return error }
        let program = card.program.map { "‘\($0.visible(limit: 60))’" } ?? "another program"
        let (message, advice) =
            switch card.reservation.state {
            case .withheld, .released, .closing:
                ("it is reserved by \(program)", "it is used again when that program releases it")
            case .refused:
                (
                    "it is reserved by \(program), which does not release it",
                    "end that program, or use a mixing device such as \"default\""
                )
            case .offline, .idle, .requesting, .asking, .replacing, .owned: (error.message, error.advice)
            }
        return PCMError(
            operation: error.operation, device: error.device, code: error.code, message: message, advice: advice,
            holder: error.holder)
    }

    private func card(of device: String) -> Card? { numbers[device].flatMap { cards[$0] } }

    // MARK: The connection

    private func connect() {
        retry?.deadline = nil
        guard connection == nil, let address = system.address(), !cards.isEmpty else { return }
        do throws(SystemdError) {
            connection = Connection(bus: try Bus(.user, at: address, in: loop) { [unowned self] _ in hangUp() })
            for number in cards.keys.sorted() { try follow(number) }
        } catch { hangUp() }
    }

    private func hangUp() {
        connection = nil
        for number in cards.keys.sorted() {
            cards[number]?.subscription = nil
            take(.disconnected, of: number)
        }
        if !cards.isEmpty { retry?.deadline = SystemClock.monotonic.now + backoff.next() }
    }

    /// Serves a card's object and follows the owner of its name.
    private func follow(_ number: Int) throws(SystemdError) {
        guard let connection, cards[number]?.subscription == nil else { return }
        if !connection.served.contains(number) {
            try connection.bus.serve(object(of: number))
            self.connection?.served.insert(number)
        }
        cards[number]?.subscription = try connection.bus.followOwner(of: Self.name(of: number)) {
            [unowned self] owner in
            backoff.restart()
            let isOwn = owner != nil && owner == self.connection?.bus.uniqueName
            take(.ownerChanged(owner.map { isOwn ? .tacet : .other($0) } ?? .nobody), of: number)
        }
        take(.connected, of: number)
    }

    private static func name(of card: Int) -> String { "\(interface).Audio\(card)" }
    private static func path(of card: Int) -> String { "/org/freedesktop/ReserveDevice1/Audio\(card)" }

    /// The object that other programs call.
    private func object(of number: Int) -> BusObject {
        var sender: () -> BusCaller? = { nil }
        let release = BusMethod(
            "RequestRelease", [BusArgument("priority", "i")], answersLater: [BusArgument("result", "b")]
        ) { [unowned self] values, reply in
            guard case .int32(let priority)? = values.first else { return }
            request(number, priority, from: sender(), reply)
        }
        let object = BusObject(
            Self.path(of: number),
            [
                BusInterface(
                    Self.interface, methods: [release],
                    properties: [
                        BusProperty("Priority", "i", change: .constant) { .int32(DeviceReservation.priority) },
                        BusProperty("ApplicationName", "s", change: .constant) { .string("Tacet") },
                        BusProperty("ApplicationDeviceName", "s", change: .noSignal) { [unowned self] in
                            .string(devices.first { numbers[$0.name] == number }?.name ?? "")
                        },
                    ])
            ])
        sender = { [unowned object] in object.caller }
        return object
    }

    private func request(_ number: Int, _ priority: Int32, from caller: BusCaller?, _ reply: BusReply) {
        guard let card = cards[number] else { return reply.answer([.bool(true)]) }
        requests += 1
        cards[number]?.replies[requests] = reply
        // Until that program owns the name, it cannot be asked what it calls itself.
        if card.reservation.state == .owned { cards[number]?.program = caller?.processName }
        take(.requested(requests, priority: priority), of: number)
    }

    // MARK: The cards

    private func takeTime() {
        for number in cards.keys.sorted() { take(.timePassed, of: number) }
    }

    private func take(_ event: DeviceReservation.Event, of number: Int) {
        var card = cards[number] ?? Card()
        let before = card.reservation
        let effects = card.reservation.take(event, at: SystemClock.monotonic.now)
        cards[number] = card
        do throws(SystemdError) {
            for effect in effects { try carryOut(effect, of: number) }
            if card.reservation.use > .none { try follow(number) }
        } catch { return hangUp() }
        if let card = cards[number], card.reservation.isForgettable { cards[number] = nil }
        timer?.deadline = cards.values.compactMap(\.reservation.deadline).min()
        let after = card.reservation
        if before.isWithheld != after.isWithheld || before.opponent != after.opponent || after.isClosing {
            onNews(.changed)
        }
        if effects.contains(.retry) { onNews(.retry) }
    }

    private func carryOut(_ effect: DeviceReservation.Effect, of number: Int) throws(SystemdError) {
        guard let bus = connection?.bus else { return answer(effect, of: number) }
        switch effect {
        case .requestName(let replaces):
            // The bus must neither queue the request nor keep others from replacing this owner.
            let flags: UInt32 = replaces ? 1 | 2 | 4 : 1 | 4
            try bus.callDriver("RequestName", [.string(Self.name(of: number)), .uint32(flags)]) {
                [unowned self] answer in
                take(.nameAnswered(DeviceReservation.Grant(answer)), of: number)
            }
        case .releaseName:
            try bus.callDriver("ReleaseName", [.string(Self.name(of: number))]) { _ in }
        case .ask(let program):
            try bus.call(
                "RequestRelease", of: Self.interface, at: Self.path(of: number), on: program,
                [.int32(DeviceReservation.priority)], within: DeviceReservation.closing
            ) { [unowned self] answer in
                let agrees = (try? answer.get()) == [.bool(true)]
                take(.releaseAnswered(by: program, agrees), of: number)
            }
        case .identify(let program): try identify(program, of: number, on: bus)
        case .answer, .retry: answer(effect, of: number)
        }
    }

    private func answer(_ effect: DeviceReservation.Effect, of number: Int) {
        guard case .answer(let requests, let isReleased) = effect else { return }
        for request in requests { cards[number]?.replies.removeValue(forKey: request)?.answer([.bool(isReleased)]) }
    }

    /// Finds out what a program calls itself. The answer is only used for messages.
    private func identify(_ program: String, of number: Int, on bus: Bus) throws(SystemdError) {
        try bus.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: Self.path(of: number), on: program,
            [.string(Self.interface), .string("ApplicationName")], within: DeviceReservation.closing
        ) { [unowned self] answer in
            guard case .success(let values) = answer, case .variant(.string(let name))? = values.first, !name.isEmpty,
                cards[number]?.reservation.owner == .other(program)
            else { return }
            cards[number]?.program = name.visible(limit: 60)
            if cards[number]?.reservation.opponent != nil { onNews(.changed) }
        }
    }
}

extension DeviceReservation.Grant {
    /// Creates a grant from the bus's answer to a request for a name.
    fileprivate init(_ answer: Result<[BusValue], BusError>) {
        switch answer {
        // 1 is DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER, 3 is EXISTS, and 4 is ALREADY_OWNER.
        case .success([.uint32(1)]), .success([.uint32(4)]): self = .granted
        case .success([.uint32(3)]): self = .taken
        case .success, .failure: self = .rejected
        }
    }
}
