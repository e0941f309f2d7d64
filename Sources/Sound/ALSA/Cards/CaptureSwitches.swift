import CALSA

/// The capture switches of a card's mixer, which mute its microphones. The mixer is closed when this value is
/// destroyed. Use it from one thread only.
///
/// If the mixer belongs to a sound server, the calls block until the server answers.
public struct CaptureSwitches: ~Copyable {
    private let name: String
    private let mixer: OpaquePointer

    deinit { snd_mixer_close(mixer) }

    /// Opens a card's mixer.
    /// - Parameter address: the address of the card's control, for example "default" or "hw:0".
    /// - Throws: `PCMError` if there is no control with that name, or it cannot be opened.
    public static func open(_ address: PCMAddress) throws(PCMError) -> CaptureSwitches {
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
        let switches = CaptureSwitches(name: address.name, mixer: mixer)
        try switches.attach(elements)
        return switches
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

    /// Turns all capture switches on or off.
    /// - Returns: the number of switches.
    /// - Throws: `PCMError` for the first switch that cannot be changed.
    @discardableResult
    public borrowing func turn(on: Bool) throws(PCMError) -> Int {
        var count = 0
        var element = snd_mixer_first_elem(mixer)
        while let current = element {
            if snd_mixer_selem_has_capture_switch(current) != 0 {
                let code = snd_mixer_selem_set_capture_switch_all(current, on ? 1 : 0)
                guard code >= 0 else { throw .system(code, operation: "change a capture switch of", device: name) }
                count += 1
            }
            element = snd_mixer_elem_next(current)
        }
        return count
    }
}
