// swift-tools-version: 6.0

import PackageDescription

/// A target of the house with its tests beside it; `imports` are the only arrows it may draw (see CONTRIBUTING.md).
func room(_ name: String, imports: [String] = [], testsImport: [String] = []) -> [Target] {
    [
        .target(name: name, dependencies: imports.map { .byName(name: $0) }),
        .testTarget(
            name: "\(name)Tests",
            dependencies: ([name] + imports.filter { !$0.hasPrefix("C") || $0 == "Configuration" } + testsImport)
                .map { .byName(name: $0) }),
    ]
}

let package = Package(
    name: "tacet",
    products: [
        .library(name: "AudioSession", targets: ["AudioSession"])
    ],
    targets: room("AudioSession")
        + room("Signals")
        + room("ResumeStore")
        + room("Verification", imports: ["AudioSession"])
)
