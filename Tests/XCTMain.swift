import Dispatch
import Glibc
import Testing

/// The tests' entry point. SwiftPM would otherwise search an index of all modules for XCTest's tests, of which there
/// are none. Writing that index takes a quarter to a third of the time that tests take to compile.
@main struct Tests {
    /// This function is not asynchronous, because the programs under test are linked in, and one of them has an
    /// asynchronous main.
    static func main() {
        let arguments = CommandLine.arguments
        guard let library = arguments.firstIndex(of: "--testing-library").map(arguments.index(after:)),
            library < arguments.endIndex, arguments[library] == "swift-testing"
        else {
            // SwiftPM mistakes this entry point for one of XCTest, and would report success although nothing has run.
            print("Run ‘make test’, or ‘swift test --disable-xctest --enable-swift-testing’.")
            exit(1)
        }
        Task { await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
