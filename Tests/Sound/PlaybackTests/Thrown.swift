import Testing

/// Returns the error that `body` throws. Records an issue if it throws none, or one of another type.
///
/// Swift Testing's own `#expect(throws:)` returns the error only since Swift 6.1.
func thrown<Failure: Error, Result>(
    _ type: Failure.Type, _ what: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    by body: () throws -> Result
) -> Failure? {
    do {
        _ = try body()
        Issue.record("nothing was thrown \(what)", sourceLocation: sourceLocation)
    } catch let error as Failure {
        return error
    } catch {
        Issue.record("\(error) was thrown \(what)", sourceLocation: sourceLocation)
    }
    return nil
}
