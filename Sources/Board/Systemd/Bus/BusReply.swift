/// The answer to a call, which can be given later. It must be given on the thread of the bus, and only once.
///
/// If this object is released without an answer, the caller receives an error immediately instead of waiting for its
/// timeout. An answer after the connection has ended has no effect.
public final class BusReply {
    private var send: ((Result<[BusValue], BusError>) -> Void)?

    /// Creates a reply.
    /// - Parameter send: called once.
    public init(_ send: @escaping (Result<[BusValue], BusError>) -> Void) { self.send = send }

    deinit { conclude(.failure(.failed("the call was dropped"))) }

    /// Answers the call.
    /// - Parameter values: values of exactly the types of the outputs.
    public func answer(_ values: [BusValue]) { conclude(.success(values)) }

    public func refuse(_ error: BusError) { conclude(.failure(error)) }

    private func conclude(_ result: Result<[BusValue], BusError>) {
        let send = self.send
        self.send = nil
        send?(result)
    }
}
