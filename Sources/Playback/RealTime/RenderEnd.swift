import ALSA

/// Why a `RenderLoop` came to an end.
enum RenderEnd: Hashable {
    case quit
    /// Silent for so long that the device had better be closed.
    case idle
    /// The device is gone.
    case fault(PCMFault)
}
