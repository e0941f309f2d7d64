import CALSA

extension PCMAddress {
    /// The sound server to which a PCM of ALSA's plug-in for PulseAudio or PipeWire connects.
    public struct SoundServer: Sendable, Hashable {
        /// The protocol of the plug-in.
        public enum Kind: Sendable, Hashable {
            case pulseAudio
            /// PipeWire itself. Most systems also run its server for clients of PulseAudio.
            case pipeWire
        }

        public let kind: Kind
        /// The server's address, or nil for the server of the user or the system.
        public let server: String?
        /// The name of the sink, or nil for the default one.
        public let sink: String?
    }

    /// The sound server that ALSA's configuration specifies for this name, or nil if the PCM is something else, such as
    /// a card or another plug-in. The call reads ALSA's configuration, so it allocates, but it does not open anything.
    public var soundServer: SoundServer? {
        calsa_silence_errors(1)
        defer { calsa_silence_errors(0) }
        guard let definition = try? copyDefinition() else { return nil }
        defer { snd_config_delete(definition) }
        switch text("type", in: definition) {
        case "pulse":
            return SoundServer(
                kind: .pulseAudio, server: text("server", in: definition), sink: text("device", in: definition))
        case "pipewire":
            // PulseAudio's protocol has no names for servers other than the user's.
            guard text("server", in: definition) == nil else { return nil }
            let node = text("playback_node", in: definition)
            return SoundServer(kind: .pipeWire, server: nil, sink: node == "-1" ? nil : node)
        default: return nil
        }
    }

    /// Returns a text that is not empty, or nil if there is none.
    private func text(_ key: String, in definition: OpaquePointer) -> String? {
        var node: OpaquePointer?
        var value: UnsafePointer<CChar>?
        guard snd_config_search(definition, key, &node) >= 0, snd_config_get_string(node, &value) >= 0, let value else {
            return nil
        }
        return value.pointee == 0 ? nil : String(cString: value)
    }
}
