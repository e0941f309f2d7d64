/// Follows who owns a name on the bus. All subscriptions to one name share it, and it lasts as long as they do.
final class BusOwner {
    private let name: String
    /// Weak: it owns the receivers of this object's subscription.
    private weak var bus: Bus?
    /// The owner's unique name; nil if there is none, or if the bus has not answered yet.
    private(set) var owner: String?
    private var subscription: BusSubscription?
    private var observers: [Int: (String?) -> Void] = [:]
    private var lastObserver = 0

    init(of name: String, on bus: Bus) throws(SystemdError) {
        self.name = name
        self.bus = bus
        subscription = try bus.follow(
            from: BusSender.driver, path: "/org/freedesktop/DBus", interface: BusSender.driver,
            member: "NameOwnerChanged", signature: "sss", first: name
        ) { [unowned self] values, _ in
            guard case .string(let owner) = values[2] else { return }
            take(owner.isEmpty ? nil : owner)
        }
        // The bus answers after it has begun to report changes, so none is missed in between.
        try ask(nil)
    }

    deinit { bus?.forgetOwner(of: name) }

    private func take(_ owner: String?) {
        self.owner = owner
        for number in observers.keys.sorted() { observers[number]?(owner) }
    }

    /// Reports the owner: once soon, and at each change, until `remove`.
    /// - Returns: the number for `remove`.
    func add(_ observer: @escaping (String?) -> Void) throws(SystemdError) -> Int {
        lastObserver += 1
        let number = lastObserver
        observers[number] = observer
        do throws(SystemdError) { try ask(number) } catch {
            observers[number] = nil
            throw error
        }
        return number
    }

    func remove(_ number: Int) { observers[number] = nil }

    /// - Parameter observer: the one that the answer is for; nil if it is for nobody.
    private func ask(_ observer: Int?) throws(SystemdError) {
        try bus?.call(
            "GetNameOwner", of: BusSender.driver, at: "/org/freedesktop/DBus", on: BusSender.driver, [.string(name)]
        ) { [weak self] answer in self?.take(answer, for: observer) }
    }

    private func take(_ answer: Result<[BusValue], BusError>, for observer: Int?) {
        // A bus that is slow answers another time.
        if case .failure(let error) = answer, error.isTimeout, bus != nil, (try? ask(observer)) != nil { return }
        owner = BusOwner.owner(by: answer, known: owner)
        if let observer { observers[observer]?(owner) }
    }

    /// The name's owner according to the bus's answer. A bus that cannot answer has not said that nobody owns the name.
    static func owner(by answer: Result<[BusValue], BusError>, known: String?) -> String? {
        switch answer {
        case .success(let values): if case .string(let owner)? = values.first { owner } else { nil }
        case .failure(let error): error.isWithoutOwner ? nil : known
        }
    }
}
