// swift-tools-version: 6.0

import PackageDescription

/// The folders of Sources, and of Tests: an event comes in through the board, the session (core) decides, sound carries
/// it out; the daemon connects them. CONTRIBUTING.md has the same map, and a check compares the two.
enum Folder: String {
    case core = "Core", board = "Board", store = "Store", sound = "Sound", daemon = "Daemon", rehearsal = "Rehearsal"
    case clients = "Clients"
}

/// A C library of the system, found by pkg-config and installed by `make`.
func library(_ name: String, in folder: Folder, pkgConfig: String, package: String) -> [Target] {
    let path = "Sources/\(folder.rawValue)/\(name)"
    return [.systemLibrary(name: name, path: path, pkgConfig: pkgConfig, providers: [.apt([package])])]
}

/// Functions of C that Swift cannot call as they are. They may need the headers of a package.
func shim(_ name: String, in folder: Folder, package: String? = nil) -> [Target] {
    let path = "Sources/\(folder.rawValue)/\(name)"
    return [.systemLibrary(name: name, path: path, providers: package.map { [.apt([$0])] })]
}

/// Most tests compute little themselves: what explores is in modules and tools that are optimised (see `computing`).
/// Optimising these tests as well would double the time that they take to compile.
let plainly: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

/// A module and its tests. The tests may import what the module imports, and the test tools. Those that compute are
/// optimised.
func module(
    _ name: String, in folder: Folder, imports: [String] = [], tools: [String] = [], testsCompute: Bool = false
) -> [Target] {
    [
        .target(name: name, dependencies: imports.map(by), path: "Sources/\(folder.rawValue)/\(name)"),
        .testTarget(
            name: name + "Tests", dependencies: ([name] + imports + tools).map(by),
            path: "Tests/\(folder.rawValue)/\(name)Tests", swiftSettings: testsCompute ? [] : plainly),
    ]
}

/// A program, and tests that run it as a person does.
func program(_ name: String, imports: [String], tools: [String]? = nil) -> [Target] {
    let tests = tools.map { tools in
        Target.testTarget(
            name: name + "Tests", dependencies: ([name] + tools).map(by), path: "Tests/Clients/\(name)Tests",
            swiftSettings: plainly)
    }
    return [.executableTarget(name: name, dependencies: imports.map(by), path: "Sources/Clients/\(name)")]
        + (tests.map { [$0] } ?? [])
}

func benchmark(_ name: String, imports: [String]) -> [Target] {
    [.executableTarget(name: name, dependencies: imports.map(by), path: "Tests/Bench/\(name)")]
}

/// What tests of several modules need.
func tool(_ name: String, imports: [String] = [], linked: [String] = []) -> [Target] {
    [
        .target(
            name: name, dependencies: imports.map(by), path: "Tests/Tools/\(name)",
            linkerSettings: linked.map { .linkedLibrary($0) })
    ]
}

func by(_ name: String) -> Target.Dependency { .init(stringLiteral: name) }

let core: [[Target]] = [
    module("AudioSession", in: .core, imports: ["Time", "Vocabulary"]),
    module("Verification", in: .core, imports: ["AudioSession", "Vocabulary"], tools: ["Chance", "Effort"]),
    module("Signals", in: .core, tools: ["Chance", "Configuration"]),
    module("Time", in: .core, tools: ["Chance"]),
    module("Timeline", in: .core, imports: ["Spelling", "Time"]),
    module("Vocabulary", in: .core),
    module("Spelling", in: .core),
    // The version's number.
    [.target(name: "Release", path: "Sources/Core/Release")],
]

let sound: [[Target]] = [
    library("CALSA", in: .sound, pkgConfig: "alsa", package: "libasound2-dev"),
    library("CFLAC", in: .sound, pkgConfig: "flac", package: "libflac-dev"),
    library("CMpg123", in: .sound, pkgConfig: "libmpg123", package: "libmpg123-dev"),
    library("CSndfile", in: .sound, pkgConfig: "sndfile", package: "libsndfile1-dev"),
    // libpulse is loaded at run time, so only its header is needed.
    shim("CPulse", in: .sound, package: "libpulse-dev"),
    library("CSoxr", in: .sound, pkgConfig: "soxr", package: "libsoxr-dev"),
    module("ALSA", in: .sound, imports: ["Clocks", "Signals", "Spelling", "CALSA"], tools: ["SoundLab"]),
    module("PulseAudio", in: .sound, imports: ["ALSA", "CPulse"]),
    module(
        "Playback", in: .sound,
        imports: [
            "Time", "ALSA", "CAlarm", "CRealTime", "PulseAudio", "Threads", "Files", "Spelling", "CFLAC", "CMpg123",
            "CSndfile", "CSoxr",
        ],
        tools: ["Chance", "CPulse", "SoundLab", "Saboteur"]),
    module(
        "Recording", in: .sound, imports: ["Files", "Time", "ALSA", "CRealTime", "Spelling", "Threads", "CFLAC"],
        tools: ["CSndfile", "Chance", "DiskLab", "Effort", "Playback", "SoundLab", "Saboteur"]),
]

let board: [[Target]] = [
    library("CGPIOD", in: .board, pkgConfig: "libgpiod", package: "libgpiod-dev"),
    library("CEvdev", in: .board, pkgConfig: "libevdev", package: "libevdev-dev"),
    library("CSystemd", in: .board, pkgConfig: "libsystemd", package: "libsystemd-dev"),
    library("CMosquitto", in: .board, pkgConfig: "libmosquitto", package: "libmosquitto-dev"),
    library("CSSL", in: .board, pkgConfig: "libssl", package: "libssl-dev"),
    shim("CRealTime", in: .board),
    shim("CAlarm", in: .board),
    module(
        "GPIO", in: .board, imports: ["Files", "Time", "Clocks", "CGPIOD", "Signals", "Spelling", "Threads"]),
    module("Evdev", in: .board, imports: ["Clocks", "CEvdev", "Files", "Signals", "Spelling"]),
    module(
        "Systemd", in: .board, imports: ["Clocks", "CSystemd", "Files", "Spelling", "Threads"],
        tools: ["BusLab", "ServiceLab"]),
    module("Clocks", in: .board, imports: ["Time"]),
    module("Threads", in: .board, imports: ["Files", "Time", "Clocks", "CAlarm", "CRealTime"]),
    module("Files", in: .store),
    module("MQTT", in: .board, imports: ["Files", "Time", "CMosquitto", "CSSL", "Threads"], tools: ["BrokerLab"]),
]

let daemon: [[Target]] = [
    library("Cinih", in: .daemon, pkgConfig: "inih", package: "libinih-dev"),
    module(
        "Configuration", in: .daemon,
        imports: ["Time", "Cinih", "ALSA", "Evdev", "Files", "GPIO", "Spelling", "AudioSession", "Signals"]),
    module("ResumeStore", in: .store, imports: ["Time", "Files"], tools: ["DiskLab"], testsCompute: true),
    module(
        "Supervisor", in: .daemon,
        imports: ["ALSA", "AudioSession", "Signals", "Playback", "ResumeStore", "Configuration", "Vocabulary"],
        tools: ["CrashLab", "Effort"]),
    module(
        "Appliance", in: .daemon,
        imports: [
            "Time", "Clocks",
            "Supervisor", "AudioSession", "Signals", "Release", "ALSA", "Evdev", "GPIO", "Playback", "ResumeStore",
            "Recording", "Configuration", "Files", "Spelling", "Systemd", "Threads", "Vocabulary",
        ],
        tools: ["BusLab", "Chance", "SoundLab", "Saboteur", "DiskLab"]),
    // For other programs, which follow and control a running Tacet.
    module(
        "SessionClient", in: .clients,
        imports: ["Time", "Clocks", "AudioSession", "Systemd", "Threads", "Vocabulary"]),
    module(
        "Simulation", in: .rehearsal,
        imports: [
            "Time",
            "Supervisor", "Timeline", "Files", "Spelling", "AudioSession", "Signals", "ALSA", "Playback", "Recording",
            "ResumeStore",
            "Configuration", "Vocabulary",
        ], tools: ["Chance", "Effort", "SessionModel", "random-scenarios"], testsCompute: true),
]

let fleet: [[Target]] = [
    library("CCrypto", in: .clients, pkgConfig: "libcrypto", package: "libssl-dev"),
    library("CJansson", in: .clients, pkgConfig: "jansson", package: "libjansson-dev"),
    module(
        "Fleet", in: .clients,
        imports: [
            "Time", "AudioSession", "CCrypto", "CJansson", "Files", "MQTT", "SessionClient", "Spelling", "Vocabulary",
        ], tools: ["Configuration"]),
]

let players: [[Target]] = [
    module("HelperLog", in: .clients, imports: ["Clocks", "Spelling", "Systemd", "Time", "Vocabulary"]),
    module(
        "Players", in: .clients, imports: ["Time", "AudioSession", "Files"], tools: ["Chance", "Effort"],
        testsCompute: true),
]

let streams: [[Target]] = [
    library("CCurl", in: .clients, pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
    library("COpusfile", in: .clients, pkgConfig: "opusfile", package: "libopusfile-dev"),
    library("CVorbisfile", in: .clients, pkgConfig: "vorbisfile", package: "libvorbis-dev"),
    module(
        "Stream", in: .clients,
        imports: [
            "CCurl", "CFLAC", "CMpg123", "COpusfile", "CVorbisfile", "Files", "Playback", "Spelling", "Threads",
        ],
        tools: ["Chance", "Clocks", "Effort", "Signals", "SoundLab"], testsCompute: true),
]

let programs: [[Target]] = [
    program(
        "tacet",
        imports: [
            "Time", "Clocks",
            "Spelling", "Release", "Files", "ALSA", "Evdev", "PulseAudio", "GPIO", "AudioSession", "Signals",
            "Playback",
            "ResumeStore",
            "Configuration", "Players", "Supervisor", "SessionClient", "Simulation", "Systemd", "Threads", "Timeline",
            "Verification", "Vocabulary",
        ],
        tools: [
            "ALSA", "Appliance", "GPIO", "AudioSession", "Effort", "Playback", "ResumeStore", "Configuration",
            "ServiceLab", "SessionClient", "SoundLab", "Supervisor", "Systemd", "Timeline", "Verification",
        ]),
    program(
        "tacetd", imports: ["Appliance", "Configuration", "Release", "ResumeStore", "Spelling", "Systemd"],
        tools: [
            "AudioSession", "BusLab", "CSystemd", "ResumeStore", "ServiceLab", "SessionClient", "SoundLab", "Systemd",
            "Vocabulary", "kiosk-screen", "tacet",
        ]),
    program(
        "tacet-mqtt",
        imports: [
            "Time", "Clocks",
            "AudioSession", "Configuration", "Files", "Fleet", "HelperLog", "MQTT", "Release", "SessionClient",
            "Spelling", "Systemd", "Threads", "Vocabulary",
        ],
        tools: [
            "AudioSession", "BrokerLab", "BusLab", "Fleet", "HelperLog", "ServiceLab", "SoundLab", "Systemd", "tacetd",
        ]),
    program(
        "tacet-players",
        imports: [
            "AudioSession", "Clocks", "Configuration", "Files", "HelperLog", "Players", "Release", "SessionClient",
            "Spelling", "Systemd", "Threads", "Time", "Vocabulary",
        ],
        tools: ["BusLab", "ServiceLab", "SoundLab", "Systemd", "Vocabulary", "tacetd"]),
    program(
        "tacet-stream",
        imports: [
            "Clocks", "Files", "HelperLog", "Release", "SessionClient", "Spelling", "Stream", "Systemd", "Threads",
            "Vocabulary",
        ],
        tools: ["BusLab", "ServiceLab", "SoundLab", "Systemd", "tacetd"]),
    // The README's example of a client, compiled and run.
    program("kiosk-screen", imports: ["SessionClient"]),
]

let measurements: [[Target]] = [
    benchmark(
        "tacet-bench",
        imports: ["Clocks", "ALSA", "AudioSession", "Configuration", "Playback", "Simulation", "Verification"]),
    // The real-time engine as a process of its own, and what compares it with another player.
    benchmark("tacet-bench-player", imports: ["ALSA", "Playback"]),
    benchmark(
        "tacet-bench-sound",
        imports: ["ALSA", "CRealTime", "Files", "Playback", "ServiceLab", "SoundLab", "Systemd"]),
    benchmark(
        "tacet-bench-fleet",
        imports: [
            "Clocks",
            "AudioSession", "BrokerLab", "Configuration", "Fleet", "MQTT", "SessionClient", "Simulation", "SoundLab",
            "Systemd", "Threads",
        ]),
    benchmark("tacet-bench-state", imports: ["Clocks", "Appliance", "CrashLab", "Files", "ResumeStore"]),
]

let tools: [[Target]] = [
    // Random numbers that a seed reproduces.
    tool("Chance"),
    // How much the tests try: everything, or examples in a debug build.
    tool("Effort"),
    // A sound server, recordings of it, music to play, and recordings as another program reads them.
    tool("SoundLab", imports: ["ALSA", "CRealTime", "CSndfile", "Playback", "Threads"]),
    // Makes libasound's calls fail, and counts allocations.
    tool("Saboteur", linked: ["asound"]),
    // A separate message bus.
    tool("BusLab", imports: ["SoundLab"]),
    // A real mosquitto.
    tool("BrokerLab", imports: ["SoundLab"]),
    // Plays the service manager, and makes journals.
    tool("ServiceLab"),
    // A disk in memory on which any call can fail, and where a power cut leaves what a real disk would.
    tool("DiskLab", imports: ["Chance", "Files"]),
    // The session's semantics once more, without its code.
    tool("SessionModel", imports: ["AudioSession", "Configuration", "ResumeStore"]),
    // The supervisor on a board that loses power at any instant.
    tool(
        "CrashLab",
        imports: [
            "AudioSession", "Chance", "Configuration", "DiskLab", "Playback", "ResumeStore", "SessionModel", "Signals",
            "Supervisor",
        ]),
    // Random configurations and scenarios, and a program that writes them.
    [
        .executableTarget(
            name: "random-scenarios", dependencies: ["AudioSession", "Chance", "Simulation"],
            path: "Tests/Tools/random-scenarios")
    ],
    // Prints what a `LineReader` reports, for tests on a real kernel.
    [.executableTarget(name: "gpio-watch", dependencies: ["GPIO", "Signals"], path: "Tests/Tools/gpio-watch")],
]

let all = (core + sound + board + daemon + fleet + players + streams + programs + measurements + tools).flatMap { $0 }

/// The names of these targets, and of those that they need.
func closure(of names: Set<String>, in targets: [Target]) -> Set<String> {
    let next = targets.filter { names.contains($0.name) }.flatMap(\.dependencies).compactMap { dependency in
        if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    let more = names.union(next)
    return more == names ? names : closure(of: more, in: targets)
}

/// The names of the targets to compile, separated by commas, or `tests` for all tests and the programs that they start.
/// Only they and what they need are compiled. Otherwise, this is nil.
let requested = Context.environment["TACET_TARGETS"]
let wanted = requested.map { names in
    closure(
        of: names == "tests"
            ? Set(all.filter { $0.type == .test }.map(\.name)) : Set(names.split(separator: ",").map(String.init)),
        in: all)
}

/// The modules that tests explore, simulate and decode with, or that they flood. For all tests, only these are optimised,
/// because optimising the others takes longer than they ever compute.
let computing: Set = [
    "ALSA", "Appliance", "AudioSession", "Chance", "CrashLab", "DiskLab", "Effort", "Files", "Playback", "Players",
    "Recording", "ResumeStore", "SessionModel", "Signals", "Simulation", "SoundLab", "Spelling", "Supervisor",
    "Systemd", "Time", "Verification", "Vocabulary",
]
if requested == "tests" {
    for target in all where [.regular, .executable].contains(target.type) && !computing.contains(target.name) {
        target.swiftSettings = plainly
    }
}

let products: [Product] = [
    .library(name: "AudioSession", targets: ["AudioSession"]),
    .library(name: "ALSA", targets: ["ALSA"]),
    .library(name: "Systemd", targets: ["Systemd"]),
    .library(name: "GPIO", targets: ["GPIO"]),
    .library(name: "SessionClient", targets: ["SessionClient"]),
    .executable(name: "tacet", targets: ["tacet"]),
    .executable(name: "tacetd", targets: ["tacetd"]),
    .executable(name: "tacet-mqtt", targets: ["tacet-mqtt"]),
    .executable(name: "tacet-players", targets: ["tacet-players"]),
    .executable(name: "tacet-stream", targets: ["tacet-stream"]),
]

let package = Package(
    name: "tacet",
    products: wanted == nil ? products : [],
    targets: wanted.map { wanted in all.filter { wanted.contains($0.name) } } ?? all
)
