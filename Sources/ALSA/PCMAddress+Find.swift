import CALSA

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
