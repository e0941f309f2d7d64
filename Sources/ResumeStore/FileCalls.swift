import Glibc

/// The system calls that the store makes: all of them, so that a test can make any one fail, and lose what was not
/// synced.
///
/// They answer as the kernel does: a negative number is an error of `errno`, negated. They may be called on any thread,
/// and take as long as the disk does.
public protocol FileCalls: Sendable {
    /// - Returns: the descriptor. Programs that are started do not inherit it.
    func open(_ path: String, _ flags: CInt) -> Int
    func close(_ descriptor: CInt)
    /// - Returns: how many bytes were read; 0 at the end.
    func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int
    /// - Returns: how many bytes were written, which may be fewer.
    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int
    /// Takes room for so many bytes.
    func allocate(_ descriptor: CInt, _ length: Int) -> Int
    /// Waits until all of a file or folder is on the disk.
    func sync(_ descriptor: CInt) -> Int
    /// Waits until its bytes are, and no more of the rest than they need.
    func syncData(_ descriptor: CInt) -> Int
    func rename(_ old: String, _ new: String) -> Int
    func remove(_ path: String) -> Int
    /// Which file it is that is open, or has a name.
    func identify(_ descriptor: CInt, _ identity: inout FileIdentity) -> Int
    func identify(_ path: String, _ identity: inout FileIdentity) -> Int
}

/// Which file it is, whatever it is called.
public struct FileIdentity: Hashable, Sendable {
    public var device: UInt
    public var inode: UInt

    public init(device: UInt = 0, inode: UInt = 0) {
        self.device = device
        self.inode = inode
    }
}
