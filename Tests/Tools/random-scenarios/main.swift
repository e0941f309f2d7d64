import Foundation

// Writes random scenarios and their configurations into a folder, for `Tests/Tools/unchanged`, and prints the audio files
// that they need, each with its length in milliseconds. usage: random-scenarios FOLDER FIRST-SEED COUNT

let arguments = CommandLine.arguments
guard arguments.count == 4, let first = UInt64(arguments[2]), let count = UInt64(arguments[3]) else {
    print("usage: random-scenarios FOLDER FIRST-SEED COUNT")
    exit(64)
}

func write(_ text: String, _ name: String) throws {
    try text.write(toFile: "\(arguments[1])/\(name)", atomically: false, encoding: .utf8)
}

for seed in first..<first + count {
    let (configuration, scenario) = RandomScenario(seed: seed).extended(seed: seed)
    try write(configuration, "\(seed).conf")
    try write(scenario + "\n", "\(seed).scenario")
}
for track in RandomScenario.tracks { print("music/\(track.name) \(track.length)") }
for sound in RandomScenario.sounds { print("\(sound.name).wav \(sound.length)") }
for (name, tracks) in RandomScenario.choices where name.hasSuffix(".m3u") {
    try FileManager.default.createDirectory(atPath: arguments[1] + "/music", withIntermediateDirectories: true)
    try write(tracks.joined(separator: "\n") + "\n", "music/\(name)")
}
