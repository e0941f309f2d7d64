/// A place on the paper, in pixels.
struct Point: Equatable {
    var x: Double
    var y: Double
}
