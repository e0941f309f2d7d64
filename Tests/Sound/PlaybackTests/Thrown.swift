import Testing

/// The error that something throws; an issue if it throws none, or another.
///
/// Swift Testing's own `#expect(throws:)` hands the error out only from Swift 6.1 on.
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
