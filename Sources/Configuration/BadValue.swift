/// Why a value is refused; reads on from `Key=value`.
struct BadValue: Error {
    /// `is out of range`
    let problem: String
    /// What would be right.
    let advice: String
}
