import ALSA
import Configuration
import GPIO
import PulseAudio

/// Looks for settings that are legal but will not work as intended on this board.
struct Inspection {
    let loaded: LoadedConfiguration
    /// The user that the service runs as, or nil if this machine does not have it.
    let account: Account?
    let board: Board
    /// Returns the reason why a device is not available here, or nil if it is.
    let deviceProblem: (_ name: String) -> PCMError?
    /// Returns the program that holds a device, or nil if no program does.
    let deviceHolder: (_ name: String) -> DeviceHolder?
    /// Returns true if a chip reports edges, so that its lines need not be polled.
    let reportsEdges: (_ chip: ChipInfo) -> Bool
    /// Lists the devices of the sound cards. It is called only if a device is missing.
    let cardDevices: () -> [CardDevice]
    /// The folder that the service creates for itself when it starts.
    let serviceFolder: String
    /// Lists the inputs. It is called only if the configuration uses input devices or jacks.
    let inputs: () -> InputListing
    /// Returns the drivers that keep the level of a line that is no longer held. It is called only if the configuration
    /// has outputs with lines.
    let keptLevels: () -> [KeptLevels]
    /// Returns the names on the system bus, or nil if it cannot be reached. It is called only if the configuration has
    /// players.
    let busNames: () -> [String]?
    /// The paths at which tacet-stream may be installed.
    let streamReceivers: [String]
    /// The folder that contains the device tree, if this machine has one.
    let treeFolder: String
    /// The folder in which each GPIO chip refers to its node of the device tree.
    let chipFolder: String
    /// The warnings, in the order of the checks, not of the lines.
    private(set) var warnings: [Diagnostic] = []
    /// The checks that could not be made, with advice on how to make them.
    private(set) var notes: [String] = []

    /// Runs all checks. Reads the library and the sounds, which may take long on a slow disk.
    init(
        _ loaded: LoadedConfiguration, account: Account? = .service, board: Board? = nil,
        deviceProblem: @escaping (String) -> PCMError? = Inspection.deviceProblem,
        deviceHolder: @escaping (String) -> DeviceHolder? = { DeviceHolder.find($0) },
        reportsEdges: @escaping (ChipInfo) -> Bool = Inspection.reportsEdges,
        cardDevices: @escaping () -> [CardDevice] = { CardDevice.all }, serviceFolder: String = "/var/lib/tacet",
        inputs: @escaping () -> InputListing = { InputListing() },
        keptLevels: @escaping () -> [KeptLevels] = { KeptLevels.find() },
        busNames: @escaping () -> [String]? = Inspection.busNames,
        streamReceivers: [String] = ["/usr/lib/tacet/tacet-stream", "/usr/local/lib/tacet/tacet-stream"],
        treeFolder: String = "/proc/device-tree", chipFolder: String = "/sys/bus/gpio/devices"
    ) {
        self.loaded = loaded
        self.account = account
        self.board = board ?? (Wire.all(of: loaded.configuration).isEmpty ? Board(chips: []) : .scan())
        self.deviceProblem = deviceProblem
        self.deviceHolder = deviceHolder
        self.reportsEdges = reportsEdges
        self.cardDevices = cardDevices
        self.serviceFolder = serviceFolder
        self.inputs = inputs
        self.keptLevels = keptLevels
        self.busNames = busNames
        self.streamReceivers = streamReceivers
        self.treeFolder = treeFolder
        self.chipFolder = chipFolder
        inspectFiles()
        inspectLibrary()
        inspectOrder()
        inspectSounds()
        inspectDelays()
        inspectLosses()
        inspectDevices()
        inspectRecording()
        inspectLines()
        inspectClaims()
        inspectPolling()
        inspectKeptLevels()
        inspectInputs()
        inspectPipes()
        inspectStreams()
        inspectPlayers()
    }

    var configuration: Configuration { loaded.configuration }

    mutating func warn(_ diagnostic: Diagnostic) { warnings.append(diagnostic) }

    mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    private static func deviceProblem(_ name: String) -> PCMError? {
        do throws(PCMError) {
            let address = PCMAddress(name)
            if PulseAddress(address) == nil { try address.find() }
            return nil
        } catch { return error }
    }
}
