// swift-tools-version: 6.0

import PackageDescription

/// A C library of the system, found by pkg-config and installed by `make`.
func library(_ name: String, pkgConfig: String, package: String) -> [Target] {
    [.systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])]
}

/// A room of the house, with its tests beside it. `imports` are the only arrows it may draw (see CONTRIBUTING.md);
/// its tests may use what it uses.
func room(_ name: String, imports: [String] = []) -> [Target] {
    let arrows = imports.map { Target.Dependency(stringLiteral: $0) }
    let tested = [Target.Dependency(stringLiteral: name)] + arrows
    return [
        .target(name: name, dependencies: arrows),
        .testTarget(name: name + "Tests", dependencies: tested),
    ]
}

let house: [[Target]] = [
    library("CALSA", pkgConfig: "alsa", package: "libasound2-dev"),
    library("CSndfile", pkgConfig: "sndfile", package: "libsndfile1-dev"),
    library("CSoxr", pkgConfig: "soxr", package: "libsoxr-dev"),
    library("Cinih", pkgConfig: "inih", package: "libinih-dev"),
    room("AudioSession"),
    room("Verification", imports: ["AudioSession"]),
    room("Signals"),
    room("Playback", imports: ["CALSA", "CSndfile", "CSoxr"]),
    room("ResumeStore"),
    room("Configuration", imports: ["Cinih", "AudioSession", "Signals"]),
    room("Timeline"),
]

let package = Package(
    name: "tacet",
    products: [
        .library(name: "AudioSession", targets: ["AudioSession"])
    ],
    targets: house.flatMap { $0 }
)
