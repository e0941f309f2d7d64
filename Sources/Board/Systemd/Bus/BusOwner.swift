/// Follows the owner of a name on the bus. All subscriptions to one name share this object, which exists as long as
/// they do.
final class BusOwner {
    private let name: String
    /// The reference is weak because the bus owns the receivers of this object's subscription.
    private weak var bus: Bus?
    /// The unique name of the owner, or nil if there is none, or if the bus has not answered yet.
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
        // The bus begins to report changes before it answers this query, so no change is missed.
        try ask(nil)
    }

    deinit { bus?.forgetOwner(of: name) }

    private func take(_ owner: String?) {
        self.owner = owner
        for number in observers.keys.sorted() { observers[number]?(owner) }
    }

    /// Reports the owner once soon and then after each change, until `remove` is called.
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

    /// Queries the owner of the name.
    /// - Parameter observer: the observer that receives the answer, or nil if only `owner` is updated.
    private func ask(_ observer: Int?) throws(SystemdError) {
        try bus?.callDriver("GetNameOwner", [.string(name)]) { [weak self] answer in self?.take(answer, for: observer) }
    }

    private func take(_ answer: Result<[BusValue], BusError>, for observer: Int?) {
        // The bus is slow, so query it again.
        if case .failure(let error) = answer, error.isTimeout, bus != nil, (try? ask(observer)) != nil { return }
        owner = BusOwner.owner(by: answer, known: owner)
        if let observer { observers[observer]?(owner) }
    }

    /// Returns the owner of the name according to the answer of the bus. If the bus cannot answer, the name may still
    /// have an owner, so the known one is returned.
    static func owner(by answer: Result<[BusValue], BusError>, known: String?) -> String? {
        switch answer {
        case .success(let values): if case .string(let owner)? = values.first { owner } else { nil }
        case .failure(let error): error.isWithoutOwner ? nil : known
        }
    }
}
