import CALSA
import Synchronization

/// The address of a PCM or a mixer control.
public struct PCMAddress: Sendable, Hashable {
    /// ALSA's name, for example "default", "hw:0" or "pulse".
    public let name: String
    /// The definition of that name, in the syntax of asound.conf, or nil to use the system's configuration.
    public let definition: String?

    public init(_ name: String, definedBy definition: String? = nil) {
        self.name = name
        self.definition = definition
    }
}

extension PCMAddress {
    private final class Turn: Sendable {
        let mutex = Mutex(())
    }

    private static let turns = Mutex<[String: Turn]>([:])

    /// The lock that serializes opening, because libasound's plug-ins are not re-entrant when they open. A card's own
    /// device needs no plug-in, so it has a separate lock and does not wait for a sound server that does not answer.
    private var turn: Turn {
        let key = isHardware ? name : ""
        return PCMAddress.turns.withLock { turns in
            let turn = turns[key] ?? Turn()
            turns[key] = turn
            return turn
        }
    }

    /// True if this is a card's own device, which only one program can use at a time.
    public var isHardware: Bool { definition == nil && (name.hasPrefix("hw:") || name.hasPrefix("plughw:")) }

    /// Calls `body` with the name and its configuration, on one thread at a time. The configuration is nil if the
    /// address uses the system's configuration.
    /// - Returns: the result of `body`, which is a negated `errno` code if it is negative.
    func open(_ body: (String, OpaquePointer?) -> Int32) throws(PCMError) -> Int32 {
        var configuration: OpaquePointer?
        if let definition { configuration = try self.configuration(of: definition) }
        defer { if let configuration { snd_config_delete(configuration) } }
        return turn.mutex.withLock { _ in body(name, configuration) }
    }

    /// Creates a configuration that contains a definition. The caller must delete it.
    private func configuration(of definition: String) throws(PCMError) -> OpaquePointer {
        var configuration: OpaquePointer?
        var code = snd_config_top(&configuration)
        if code >= 0 {
            var input: OpaquePointer?
            code = snd_input_buffer_open(&input, definition, definition.utf8.count)
            if code >= 0 {
                code = snd_config_load(configuration, input)
                snd_input_close(input)
            }
        }
        guard code >= 0, let configuration else {
            if let configuration { snd_config_delete(configuration) }
            throw .system(code, operation: "configure", device: name)
        }
        return configuration
    }
}

extension PCMAddress {
    /// Opens the device and closes it at once, to find out whether it is available. During this time, no other thread
    /// of this process can open the device, so no other thread finds it busy. The call allocates, and blocks as long as
    /// a sound server does.
    /// - Throws: `PCMError` if it cannot be opened.
    public func probe() throws(PCMError) {
        calsa_silence_errors(1)
        defer { calsa_silence_errors(0) }
        let code = try open { name, configuration in
            var handle: OpaquePointer?
            let mode = SND_PCM_NONBLOCK
            let code =
                configuration.map { snd_pcm_open_lconf(&handle, name, SND_PCM_STREAM_PLAYBACK, mode, $0) }
                ?? snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, mode)
            if code >= 0, let handle { snd_pcm_close(handle) }
            return code
        }
        guard code >= 0 else {
            throw .opening(name, code: code, cards: SoundCard.all, holder: DeviceHolder.find(name))
        }
    }

    /// Checks that ALSA's configuration defines this PCM and that its card exists. This does not open the device, so it
    /// also succeeds while another program uses the device.
    ///
    /// - Throws: `PCMError` if ALSA's configuration does not contain a device with this name, or if the machine does
    ///   not have the device's card.
    public func find() throws(PCMError) {
        calsa_silence_errors(1)
        defer { calsa_silence_errors(0) }
        snd_config_delete(try copyDefinition())
        guard let card else { return }
        let code = snd_card_get_index(card)
        guard code >= 0 else { throw .system(code, operation: "find the card of", device: name) }
    }

    /// Returns a copy of the definition of this PCM, which the caller must delete.
    func copyDefinition() throws(PCMError) -> OpaquePointer {
        var top: OpaquePointer?
        if let definition {
            top = try configuration(of: definition)
        } else {
            let code = snd_config_update_ref(&top)
            guard code >= 0 else { throw .system(code, operation: "read the definition of", device: name) }
        }
        defer { if definition == nil { snd_config_unref(top) } else { snd_config_delete(top) } }
        var found: OpaquePointer?
        let code = snd_config_search_definition(top, "pcm", name, &found)
        guard code >= 0, let found else { throw .system(code, operation: "find", device: name) }
        return found
    }

    /// The card in `hw:CARD=Headphones,DEV=0` or `plughw:1,0`, or nil if the name does not contain a card.
    public var card: String? {
        let parts = name.split(separator: ":", maxSplits: 1)
        guard parts.count == 2,
            ["hw", "plughw", "default", "sysdefault", "front", "dmix", "hdmi", "iec958"].contains(parts[0]),
            let first = parts[1].split(separator: ",").first
        else { return nil }
        let words = first.split(separator: "=", maxSplits: 1)
        if words.count == 2 { return words[0] == "CARD" ? String(words[1]) : nil }
        return String(first)
    }
}
