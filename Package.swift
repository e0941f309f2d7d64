// swift-tools-version: 6.0

import PackageDescription

/// A C library of the system, found by pkg-config and installed by `make`.
func library(_ name: String, pkgConfig: String, package: String) -> [Target] {
    [.systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])]
}

/// A room of the house, with its tests beside it. `imports` are the only arrows it may draw (see CONTRIBUTING.md);
/// its tests may use what it uses, and the tools.
func room(_ name: String, imports: [String] = [], tools: [String] = []) -> [Target] {
    let arrows = imports.map { Target.Dependency(stringLiteral: $0) }
    let tested = [Target.Dependency(stringLiteral: name)] + arrows + tools.map { Target.Dependency(stringLiteral: $0) }
    return [
        .target(name: name, dependencies: arrows),
        .testTarget(name: name + "Tests", dependencies: tested),
    ]
}

func program(_ name: String, imports: [String]) -> [Target] {
    [.executableTarget(name: name, dependencies: imports.map { Target.Dependency(stringLiteral: $0) })]
}

/// Tests that run a program as a person does, and those of its parts that do without one.
func trial(of program: String, tools: [String] = []) -> [Target] {
    [.testTarget(name: program + "Tests", dependencies: ([program] + tools).map { .init(stringLiteral: $0) })]
}

let house: [[Target]] = [
    [.systemLibrary(name: "CRealTime"), .systemLibrary(name: "CAlarm")],
    library("CALSA", pkgConfig: "alsa", package: "libasound2-dev"),
    library("CGPIOD", pkgConfig: "libgpiod", package: "libgpiod-dev"),
    library("CSndfile", pkgConfig: "sndfile", package: "libsndfile1-dev"),
    library("CSoxr", pkgConfig: "soxr", package: "libsoxr-dev"),
    library("Cinih", pkgConfig: "inih", package: "libinih-dev"),
    library("CSystemd", pkgConfig: "libsystemd", package: "libsystemd-dev"),

    room("AudioSession"),
    // How much the tests try: all, or examples in a debug build.
    [.target(name: "Effort", path: "Tests/Effort")],
    room("Verification", imports: ["AudioSession"], tools: ["Effort"]),
    room("Signals", tools: ["Chance", "Configuration"]),
    // A sound server, recordings of it and programmes to play, for tests and measurements.
    [.target(name: "SoundLab", dependencies: ["ALSA", "CRealTime", "Playback", "Threads"], path: "Tests/SoundLab")],
    // What a `LineReader` tells, as text: for trials on a real kernel.
    [.executableTarget(name: "gpio-watch", dependencies: ["GPIO"], path: "Tests/gpio-watch")],
    // Makes libasound's calls fail, and counts allocations.
    [.target(name: "Saboteur", path: "Tests/Saboteur", linkerSettings: [.linkedLibrary("asound")])],
    room("GPIO", imports: ["CGPIOD", "Spelling"]),
    room("ALSA", imports: ["CALSA", "CRealTime"], tools: ["SoundLab"]),
    [.target(name: "Threads", dependencies: ["CAlarm", "CRealTime"])],
    room(
        "Playback", imports: ["ALSA", "CRealTime", "Threads", "CSndfile", "CSoxr"],
        tools: ["Chance", "SoundLab", "Saboteur"]),
    room("Files"),
    // Plays the service manager.
    [.target(name: "ServiceLab", path: "Tests/ServiceLab")],
    room("Systemd", imports: ["CSystemd"], tools: ["ServiceLab"]),
    room("Spelling"),
    // What this version is called.
    [.target(name: "Release")],
    // Random numbers that a seed brings back.
    [.target(name: "Chance", path: "Tests/Chance")],
    // A disk in memory on which any call can fail, and of which a power cut leaves what a real one would.
    [.target(name: "DiskLab", dependencies: ["Chance", "ResumeStore"], path: "Tests/DiskLab")],
    room("ResumeStore", imports: ["Files"], tools: ["DiskLab"]),
    room("Configuration", imports: ["Cinih", "Files", "Spelling", "AudioSession", "Signals"]),
    room(
        "Supervisor", imports: ["AudioSession", "Signals", "Playback", "ResumeStore", "Configuration"],
        tools: ["ALSA", "CrashLab"]),
    // The supervisor on a board whose power goes at any instant.
    [
        .target(
            name: "CrashLab",
            dependencies: [
                "AudioSession", "Chance", "Configuration", "DiskLab", "Playback", "ResumeStore", "Signals",
                "Supervisor",
            ], path: "Tests/CrashLab")
    ],
    room(
        "Appliance",
        imports: [
            "Supervisor", "AudioSession", "Signals", "ALSA", "GPIO", "Playback", "ResumeStore", "Configuration",
            "Spelling", "Systemd", "Threads",
        ],
        tools: ["SoundLab", "Saboteur", "DiskLab"]),
    // For other programs, which follow and steer a running Tacet.
    room("SessionClient", imports: ["AudioSession", "Systemd", "Threads"]),
    room("Timeline"),
    room(
        "Simulation",
        imports: [
            "Supervisor", "Timeline", "Files", "Spelling", "AudioSession", "ALSA", "Playback", "ResumeStore",
            "Configuration",
        ], tools: ["Chance", "Effort"]),

    program(
        "tacet",
        imports: [
            "Spelling", "Release", "Files", "ALSA", "GPIO", "AudioSession", "Signals", "Playback", "ResumeStore",
            "Configuration", "Supervisor", "SessionClient", "Simulation", "Systemd", "Timeline", "Verification",
        ]),
    trial(
        of: "tacet",
        tools: [
            "ALSA", "GPIO", "AudioSession", "Effort", "ResumeStore", "Configuration", "SoundLab", "Timeline",
            "Verification",
        ]),
    program("tacetd", imports: ["Appliance", "Configuration", "Release", "ResumeStore", "Spelling", "Systemd"]),
    trial(
        of: "tacetd",
        tools: ["AudioSession", "ResumeStore", "ServiceLab", "SessionClient", "SoundLab", "Systemd", "kiosk-screen"]),
    // The README's example of a client.
    program("kiosk-screen", imports: ["SessionClient"]),
    program(
        "tacet-bench", imports: ["ALSA", "AudioSession", "Configuration", "Playback", "Simulation", "Verification"]),
    // The real-time engine as a process of its own, and what compares it with another player.
    program("tacet-bench-player", imports: ["ALSA", "Playback"]),
    program("tacet-bench-state", imports: ["Appliance", "CrashLab", "Files", "ResumeStore"]),
    program(
        "tacet-bench-sound",
        imports: ["ALSA", "CRealTime", "Files", "Playback", "ServiceLab", "SoundLab", "Systemd"]),
]

let package = Package(
    name: "tacet",
    products: [
        .library(name: "AudioSession", targets: ["AudioSession"]),
        .library(name: "ALSA", targets: ["ALSA"]),
        .library(name: "Systemd", targets: ["Systemd"]),
        .library(name: "GPIO", targets: ["GPIO"]),
        .library(name: "SessionClient", targets: ["SessionClient"]),
        .executable(name: "tacet", targets: ["tacet"]),
        .executable(name: "tacetd", targets: ["tacetd"]),
    ],
    targets: house.flatMap { $0 }
)
