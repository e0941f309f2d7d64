@testable import Systemd

extension BusObject {
    /// Returns the answer from a method that answers at once.
    func answer(_ member: String, of interface: String?, _ arguments: [BusValue]) throws(BusError) -> [BusValue] {
        var result = Result<[BusValue], BusError>.failure(.failed("it has not answered yet"))
        answer(member, of: interface, arguments, BusReply { result = $0 })
        return try result.get()
    }
}
