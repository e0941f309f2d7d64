import Glibc

/// The program that holds a device of a card, so that no other program can open it.
public struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
    /// The process ID.
    public let process: Int32
    /// The program's name as shown by `ps`, or nil if this process cannot read it.
    public let program: String?

    public init(process: Int32, program: String?) {
        self.process = process
        self.program = program
    }

    /// True if the program is the sound server of a session, which releases a device if another program of the session
    /// asks for it.
    public var isSoundServer: Bool {
        ["pipewire", "wireplumber", "pulseaudio", "jackd", "jackdbus"].contains(program)
    }

    /// A text such as `mpd (pid 812)`, or `pid 812` if the name is unknown.
    public var description: String { program.map { "\($0) (pid \(process))" } ?? "pid \(process)" }

    /// Finds the program that holds a device in the kernel's list of open streams. The function reads a few files in
    /// `/proc` and allocates. Any thread can call it.
    /// - Parameters:
    ///   - address: ALSA's name. If it does not name a card, the function returns the first program that has a stream
    ///     open.
    ///   - capturing: true to look for a program that records, instead of one that plays.
    ///   - proc: the folder of the kernel's list.
    ///   - own: the process whose streams are ignored.
    /// - Returns: nil if the device is free, if this process holds it, or if the kernel does not report the holder.
    public static func find(
        _ address: String, capturing: Bool = false, proc: String = "/proc", except own: Int32 = getpid()
    ) -> DeviceHolder? {
        let suffix = capturing ? "c" : "p"
        let (card, device) = place(of: address)
        // A card's ID is a link to its folder.
        let folders = card.map { [Int($0) == nil ? $0 : "card\($0)"] } ?? (0..<32).map { "card\($0)" }
        for folder in folders {
            let streams = "\(proc)/asound/\(folder)"
            let pcms = device.map { ["pcm\($0)\(suffix)"] } ?? names(in: streams).filter { isPCM($0, suffix) }
            for pcm in pcms {
                for stream in names(in: "\(streams)/\(pcm)") where stream.hasPrefix("sub") {
                    guard let holder = holder(of: "\(streams)/\(pcm)/\(stream)/status", proc), holder.process != own
                    else {
                        continue
                    }
                    return holder
                }
            }
        }
        return nil
    }

    private static func isPCM(_ name: String, _ suffix: String) -> Bool {
        name.hasPrefix("pcm") && name.hasSuffix(suffix) && Int(name.dropFirst(3).dropLast()) != nil
    }

    /// The card and the device in `hw:1,0` or `plughw:CARD=Headphones,DEV=0`, each of which is nil if the address does
    /// not specify it.
    private static func place(of address: String) -> (card: String?, device: Int?) {
        guard let card = PCMError.cardName(of: address), let colon = address.firstIndex(of: ":") else {
            return (nil, nil)
        }
        let arguments = address[address.index(after: colon)...].split(separator: ",")
        let named = arguments.first { $0.hasPrefix("DEV=") }.flatMap { Int($0.dropFirst(4)) }
        let second = arguments.count > 1 ? Int(arguments[1]) : nil
        return (card, named ?? second)
    }

    /// The kernel records the thread that opened the stream, but people recognise the process.
    private static func holder(of status: String, _ proc: String) -> DeviceHolder? {
        guard let thread = value(of: "owner_pid", in: KernelText.read(status)).flatMap(Int32.init), thread > 0 else {
            return nil
        }
        let process = value(of: "Tgid", in: KernelText.read("\(proc)/\(thread)/status")).flatMap(Int32.init) ?? thread
        let name = KernelText.read("\(proc)/\(process)/comm").prefix { $0 != "\n" }
        return DeviceHolder(process: process, program: name.isEmpty ? nil : String(name))
    }

    /// The value in a line such as `owner_pid   : 812`.
    private static func value(of key: String, in text: String) -> String? {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].prefix(while: { $0 != " " }) == key else { continue }
            return String(parts[1].drop { $0 == " " || $0 == "\t" })
        }
        return nil
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names.sorted()
    }
}
