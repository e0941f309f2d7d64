/// Which section has taken which line.
struct ClaimedLine {
    let wiring: Wiring
    let title: String
    let place: Place
}
