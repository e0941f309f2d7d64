import Dispatch
import Testing

/// The tests' entry point. SwiftPM would otherwise search an index of all modules for XCTest's tests, of which there are
/// none. Writing that index takes a quarter to a third of the time that tests take to compile.
@main struct Tests {
    /// Not asynchronous, because the programs under test are linked in, and one of them has an asynchronous main.
    static func main() {
        // SwiftPM also runs the tests as those of XCTest, and says which library it means.
        let arguments = CommandLine.arguments
        guard let library = arguments.firstIndex(of: "--testing-library").map(arguments.index(after:)),
            library < arguments.endIndex, arguments[library] == "swift-testing"
        else { return }
        Task { await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
