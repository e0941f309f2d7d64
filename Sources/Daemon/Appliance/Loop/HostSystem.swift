import ALSA
import AudioSession
import Clocks
import Configuration
import Evdev
import GPIO
import Glibc
import Systemd

/// The functions of the kernel and the service manager that the daemon uses. Tests replace them.
struct HostSystem {
    /// Creates the reader of these lines.
    var reader: ([WantedLine<WireID>]) -> LineReader<WireID> = {
        LineReader($0, consumer: "tacet", advice: Wiring.advice)
    }
    /// Creates the writer of the outputs' lines.
    var writer: () -> LineWriter<OutputID> = { LineWriter(consumer: "tacet", advice: Wiring.advice) }
    var inputs: any InputSystem = InputKernel()
    var jacks: any JackSystem = JackKernel()
    /// Reads the mixer of a card for as long as the card takes.
    var readMixer: @Sendable (Int) -> DeviceAudibility = OutputMixer.read
    /// Loads the file of an announcement for as long as its disk takes.
    var loadClip: ClipLoader.Load = ClipLoader.load
    /// Ignores a UNIX signal from now on in the whole process.
    var ignore: (Int32) -> Void = { signal($0, SIG_IGN) }
    /// Notifies the service manager without waiting.
    var attempt: ([ServiceManager.Notice]) -> ServiceManager.Attempt = { ServiceManager.attempt($0) }
    /// The service manager's timeout, or nil if it does not watch this process.
    var watchdogInterval: () -> Duration? = { ServiceManager.watchdogInterval }
    /// Returns the time for which the system has been suspended since the boot.
    var suspendedTime: () -> Duration = { SystemClock.suspendedTime }
    /// Returns the time of CLOCK_MONOTONIC that is used to check whether the control loop runs in time.
    var monotonicTime: () -> Duration = { SystemClock.monotonic.now }
}
