/// How exhaustively the tests run.
///
/// A debug build takes fifty times as long as an optimised one to visit every state of a session. So plain `swift
/// test`, a debug build, tests only examples and finishes within minutes; `make test`, which is optimised, tests
/// everything.
public enum Effort {
    public static var isExhaustive: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    /// All of these cases, or the first one as an example.
    public static func cases<Case>(_ all: [Case]) -> [Case] {
        isExhaustive ? all : Array(all.prefix(1))
    }
}
