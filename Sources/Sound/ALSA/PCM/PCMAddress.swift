import CALSA
import Synchronization

/// Where a PCM is found.
public struct PCMAddress: Sendable, Hashable {
    /// ALSA's name, e.g. "default", "hw:0" or "pulse".
    public let name: String
    /// In the language of asound.conf, what the PCM of that name is; nil for one that the system's configuration knows.
    public let definition: String?

    public init(_ name: String, definedBy definition: String? = nil) {
        self.name = name
        self.definition = definition
    }
}

extension PCMAddress {
    /// Opening is not re-entrant in libasound's plug-ins.
    private static let turn = Mutex(())

    /// Opens what is there, with the configuration that defines it, or nil for the system's own; one thread at a time.
    /// - Returns: what the body does: an `errno` code, negative, or more.
    func open(_ body: (String, OpaquePointer?) -> Int32) throws(PCMError) -> Int32 {
        var configuration: OpaquePointer?
        if let definition { configuration = try self.configuration(of: definition) }
        defer { if let configuration { snd_config_delete(configuration) } }
        return PCMAddress.turn.withLock { _ in body(name, configuration) }
    }

    /// - Returns: to be deleted by the caller.
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
    /// Looks for its definition and its card, and opens nothing: a device that another program holds is found, too.
    ///
    /// - Throws: `PCMError` if ALSA's configuration has no device of that name, or the machine does not have its card.
    public func find() throws(PCMError) {
        calsa_hush(1)
        defer { calsa_hush(0) }
        var top: OpaquePointer?
        var code = snd_config_update_ref(&top)
        guard code >= 0, let top else { throw .system(code, operation: "read the definition of", device: name) }
        defer { snd_config_unref(top) }
        var found: OpaquePointer?
        code = snd_config_search_definition(top, "pcm", name, &found)
        if let found { snd_config_delete(found) }
        guard code >= 0 else { throw .system(code, operation: "find", device: name) }
        guard let card else { return }
        code = snd_card_get_index(card)
        guard code >= 0 else { throw .system(code, operation: "find the card of", device: name) }
    }

    /// Of `hw:CARD=Headphones,DEV=0` or `plughw:1,0`: the card; nil if the name says none.
    private var card: String? {
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
