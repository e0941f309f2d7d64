import Glibc

/// TCP ports of the loopback interface.
public enum LoopbackPort {
    public struct NotFound: Error {}

    /// Returns a port that is free at present.
    public static func free() throws -> UInt16 {
        var address = address(of: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withSocket(&address) { bind($0, $1, size) == 0 ? getsockname($0, $1, &size) : -1 }
        guard code == 0 else { throw NotFound() }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Returns true if a program accepts connections at this port.
    public static func accepts(_ port: UInt16) -> Bool {
        var address = address(of: port)
        return withSocket(&address) { connect($0, $1, socklen_t(MemoryLayout<sockaddr_in>.size)) } == 0
    }

    private static func address(of port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func withSocket(
        _ address: inout sockaddr_in, _ body: (Int32, UnsafeMutablePointer<sockaddr>) -> Int32
    ) -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(socket, $0) }
        }
    }
}
