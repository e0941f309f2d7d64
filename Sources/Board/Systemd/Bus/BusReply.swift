/// The answer to a call, which can be given later: on the bus's thread, once.
///
/// If it is released without an answer, the caller receives an error, and does not wait until its own time is up. An
/// answer after the connection has ended has no effect.
public final class BusReply {
    private var send: ((Result<[BusValue], BusError>) -> Void)?

    /// - Parameter send: called once.
    public init(_ send: @escaping (Result<[BusValue], BusError>) -> Void) { self.send = send }

    deinit { conclude(.failure(.failed("the call was dropped"))) }

    /// - Parameter values: of exactly the outputs' types.
    public func answer(_ values: [BusValue]) { conclude(.success(values)) }

    public func refuse(_ error: BusError) { conclude(.failure(error)) }

    private func conclude(_ result: Result<[BusValue], BusError>) {
        let send = self.send
        self.send = nil
        send?(result)
    }
}
