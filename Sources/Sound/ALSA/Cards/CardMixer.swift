import CALSA

/// The mixer of a sound card. It is closed when this value is destroyed. Use it from one thread only.
///
/// If the mixer belongs to a sound server, the calls block until the server answers, and that of a USB card may block for
/// seconds.
public struct CardMixer: ~Copyable {
    private let name: String
    private let mixer: OpaquePointer

    deinit { snd_mixer_close(mixer) }

    /// Opens a card's mixer.
    /// - Parameter address: the address of the card's control, for example "default" or "hw:0".
    /// - Throws: `PCMError` if there is no control with that name, or it cannot be opened.
    public static func open(_ address: PCMAddress) throws(PCMError) -> CardMixer {
        var control: OpaquePointer?
        let code = try address.open { name, configuration in
            configuration.map { snd_ctl_open_lconf(&control, name, 0, $0) } ?? snd_ctl_open(&control, name, 0)
        }
        guard code >= 0, let control else { throw .system(code, operation: "open the mixer of", device: address.name) }
        var elements: OpaquePointer?
        guard snd_hctl_open_ctl(&elements, control) >= 0, let elements else {
            snd_ctl_close(control)
            throw .system(ENOMEM, operation: "open the mixer of", device: address.name)
        }
        var mixer: OpaquePointer?
        guard snd_mixer_open(&mixer, 0) >= 0, let mixer else {
            snd_hctl_close(elements)
            throw .system(ENOMEM, operation: "open the mixer of", device: address.name)
        }
        let card = CardMixer(name: address.name, mixer: mixer)
        try card.attach(elements)
        return card
    }

    private init(name: String, mixer: OpaquePointer) {
        self.name = name
        self.mixer = mixer
    }

    private borrowing func attach(_ elements: OpaquePointer) throws(PCMError) {
        var code = snd_mixer_attach_hctl(mixer, elements)
        guard code >= 0 else {
            snd_hctl_close(elements)
            throw .system(code, operation: "open the mixer of", device: name)
        }
        code = snd_mixer_selem_register(mixer, nil, nil)
        if code >= 0 { code = snd_mixer_load(mixer) }
        guard code >= 0 else { throw .system(code, operation: "read the mixer of", device: name) }
    }

    /// Turns all capture switches, which mute microphones, on or off.
    /// - Returns: the number of switches.
    /// - Throws: `PCMError` for the first switch that cannot be changed.
    @discardableResult
    public borrowing func turnCapture(on: Bool) throws(PCMError) -> Int {
        var count = 0
        for element in elements where snd_mixer_selem_has_capture_switch(element) != 0 {
            let code = snd_mixer_selem_set_capture_switch_all(element, on ? 1 : 0)
            guard code >= 0 else { throw .system(code, operation: "change a capture switch of", device: name) }
            count += 1
        }
        return count
    }

    /// The controls through which the card plays, in the mixer's order.
    public var playbackControls: [PlaybackControl] {
        elements.compactMap { element in
            guard snd_mixer_selem_is_active(element) != 0, snd_mixer_selem_get_index(element) == 0,
                let name = snd_mixer_selem_get_name(element), let attenuation = Self.attenuation(element)
            else { return nil }
            return PlaybackControl(name: String(cString: name), attenuation: attenuation)
        }
    }

    private var elements: [OpaquePointer] {
        guard let first = snd_mixer_first_elem(mixer) else { return [] }
        return Array(sequence(first: first) { snd_mixer_elem_next($0) })
    }

    /// Returns the attenuation of the least attenuated channel in dB, or nil if the element does not affect playback.
    private static func attenuation(_ element: OpaquePointer) -> Double? {
        let channels = (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t(rawValue: $0) }
            .filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
        let hasSwitch = snd_mixer_selem_has_playback_switch(element) != 0
        guard hasSwitch || snd_mixer_selem_has_playback_volume(element) != 0 else { return nil }
        return channels.map { channel in
            var isOn: Int32 = 1
            if hasSwitch, snd_mixer_selem_get_playback_switch(element, channel, &isOn) < 0 { return 0 }
            return isOn == 0 ? .infinity : volumeAttenuation(element, channel)
        }.min() ?? 0
    }

    /// Returns the attenuation of a channel's volume in dB. A volume that cannot be read does not attenuate.
    private static func volumeAttenuation(
        _ element: OpaquePointer, _ channel: snd_mixer_selem_channel_id_t
    ) -> Double {
        var (lowest, highest, volume, level, loudest) = (0, 0, 0, 0, 0)
        guard snd_mixer_selem_get_playback_volume_range(element, &lowest, &highest) >= 0, highest > lowest,
            snd_mixer_selem_get_playback_volume(element, channel, &volume) >= 0
        else { return 0 }
        guard snd_mixer_selem_get_playback_dB(element, channel, &level) >= 0,
            snd_mixer_selem_get_playback_dB_range(element, &volume, &loudest) >= 0
        else { return volume == lowest ? .infinity : 0 }
        // Some cards amplify, so 0 dB is their normal level. The levels of others only reach a negative one.
        return level <= Int(SND_CTL_TLV_DB_GAIN_MUTE) ? .infinity : Double(min(loudest, 0) - level) / 100
    }
}
