/// The answer to a call, which can be given later. It must be given on the thread of the bus, and only once.
///
/// If this object is released without an answer, the caller receives an error immediately instead of waiting for its
/// timeout. An answer after the connection has ended has no effect.
public final class BusReply {
    private var send: ((Result<[BusValue], BusError>) -> Void)?
    private let count: (Duration) -> Void

    /// Creates a reply.
    /// - Parameters:
    ///   - count: called with processor time that other threads have spent on the answer.
    ///   - send: called once.
    public init(
        counting count: @escaping (Duration) -> Void = { _ in },
        _ send: @escaping (Result<[BusValue], BusError>) -> Void
    ) {
        self.count = count
        self.send = send
    }

    deinit { conclude(.failure(.failed("the call was dropped"))) }

    /// Answers the call.
    /// - Parameter values: values of exactly the types of the outputs.
    public func answer(_ values: [BusValue]) { conclude(.success(values)) }

    /// Counts the processor time that other threads have spent on the answer towards the limit for queries.
    public func charge(_ time: Duration) { count(time) }

    public func refuse(_ error: BusError) { conclude(.failure(error)) }

    private func conclude(_ result: Result<[BusValue], BusError>) {
        let send = self.send
        self.send = nil
        send?(result)
    }
}
