/// The part of the network in which an address is.
public enum NetworkScope: Hashable, Sendable {
    /// The internet, where strangers are.
    case global
    /// This machine.
    case loopback
    /// The machines on the same cable.
    case linkLocal
    /// A private network: RFC 1918, the shared addresses of RFC 6598, or the unique local addresses of RFC 4193.
    case privateNetwork
    /// Addresses that no station has, such as those of groups.
    case reserved

    /// - Parameter address: the 4 bytes of an IPv4 address or the 16 bytes of an IPv6 address.
    public init(of address: [UInt8]) {
        switch address.count {
        case 4: self = Self.scope4(address)
        case 16: self = Self.scope6(address)
        default: self = .reserved
        }
    }

    private static func scope4(_ address: [UInt8]) -> NetworkScope {
        switch (address[0], address[1]) {
        // Linux takes 0.0.0.0 for this machine.
        case (0, _), (127, _): .loopback
        case (169, 254): .linkLocal
        case (10, _), (172, 16...31), (192, 168), (100, 64...127): .privateNetwork
        case (192, 0) where address[2] == 0, (198, 18...19), (224..., _): .reserved
        default: .global
        }
    }

    private static func scope6(_ address: [UInt8]) -> NetworkScope {
        let last = Array(address.suffix(4))
        // ::, ::1, and IPv4 addresses in their mapped (::ffff:0:0/96) and compatible (::/96) forms.
        if address.starts(with: [UInt8](repeating: 0, count: 10)) {
            if address[10...11].elementsEqual([0xff, 0xff]) { return scope4(last) }
            guard address[10...11].elementsEqual([0, 0]) else { return .reserved }
            return last.starts(with: [0, 0, 0]) ? .loopback : scope4(last)
        }
        // A gateway translates these into IPv4 addresses (RFC 6052, RFC 8215, RFC 3056).
        if address.starts(with: [0x00, 0x64, 0xff, 0x9b]) {
            let isWellKnown = address[4...11].allSatisfy { $0 == 0 }
            return isWellKnown ? scope4(last) : .privateNetwork
        }
        if address.starts(with: [0x20, 0x02]) { return scope4(Array(address[2...5])) }
        switch (address[0], address[1]) {
        case (0xfe, 0x80...0xbf): return .linkLocal
        // Site-local addresses are the predecessors of the unique local ones.
        case (0xfe, 0xc0...), (0xfc...0xfd, _): return .privateNetwork
        case (0x20...0x3f, _): return .global
        default: return .reserved
        }
    }
}
