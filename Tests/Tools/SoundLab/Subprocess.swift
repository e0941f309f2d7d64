import Glibc

/// A child process, which is killed when this object is deallocated.
public final class Subprocess: @unchecked Sendable {
    public let pid: pid_t
    private var isOver = false

    public struct CannotStart: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Parameters:
    ///   - environment: The variables in addition to those of this process.
    ///   - input: The standard input, or nil for `/dev/null`.
    ///   - output: The standard output, or nil for `/dev/null`.
    ///   - errors: The standard error, or nil for `/dev/null`.
    public init(
        _ command: [String], environment: [String: String] = [:], input: Int32? = nil, output: Int32? = nil,
        errors: Int32? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [(0, input), (1, output), (2, errors)] as [(Int32, Int32?)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        // Other tests that run at the same time have open files, some of which lack O_CLOEXEC.
        addCloseFrom(&actions, 3)
        // Threads of a thread pool block all signals, and child processes would inherit that mask.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var variables: [String] = []
        var cursor = environ
        while let entry = cursor.pointee {
            let text = String(cString: entry)
            if environment[String(text.prefix { $0 != "=" })] == nil { variables.append(text) }
            cursor += 1
        }
        variables += environment.map { "\($0)=\($1)" }
        var arguments = command.map { strdup($0) } + [nil]
        var environment = variables.map { strdup($0) } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, command[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else { throw CannotStart(description: "\(command[0]): \(String(cString: strerror(code)))") }
        self.pid = pid
    }

    deinit {
        end()
    }

    public func signal(_ number: Int32) {
        if !isOver { kill(pid, number) }
    }

    /// Sends a signal to the process and waits until it has ended.
    public func end(with number: Int32 = SIGKILL) {
        guard !isOver else { return }
        kill(pid, SIGCONT)
        kill(pid, number)
        wait()
    }

    @discardableResult
    public func wait() -> Int32 {
        guard !isOver else { return 0 }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isOver = true
        return status
    }
}

/// Closes this descriptor and all above it in the child process. Glibc's module does not contain the function.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
@discardableResult
private func addCloseFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ descriptor: Int32) -> Int32
