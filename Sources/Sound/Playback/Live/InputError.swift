import ALSA
import Files
import Glibc

/// The reason why no audio can arrive at an input.
public struct InputError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable {
        /// The pipe cannot be created, or cannot be opened.
        case create, open
        /// Something else has the pipe's name.
        case isOther
        /// The permissions of the pipe cannot be set.
        case permit
        /// The thread that reads the audio cannot be started, or the audio cannot be converted.
        case thread, convert
        /// The capture device cannot be used.
        case device(PCMError)
    }

    /// The path of the pipe or the name of the device.
    public let path: String
    public let problem: Problem
    /// The `errno` code, or 0.
    public let code: Int32

    public init(_ path: String, _ problem: Problem, code: Int32) {
        self.path = path
        self.problem = problem
        self.code = code
    }

    public init(_ error: PCMError) { self.init(error.device, .device(error), code: error.code) }

    public var description: String {
        let words = code == 0 ? "" : ": \(String(errno: code))"
        return switch problem {
        case .create where code == ENOENT: "cannot create the pipe \(path) because its folder does not exist"
        case .create: "cannot create the pipe \(path)\(words)"
        case .open: "cannot open the pipe \(path)\(words)"
        case .isOther: "\(path) is not a named pipe, so remove it or choose another path"
        case .permit: "cannot set the permissions of the pipe \(path)\(words)"
        case .thread: "the system cannot start another thread, so \(path) cannot be read: raise TasksMax="
        case .device(let error): "\(error)"
        case .convert: "the audio from \(path) cannot be converted to the device's format"
        }
    }
}
