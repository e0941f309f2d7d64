import CRealTime
import Time

/// The live inputs of a `RealTimeEngine`.
struct InputControl {
    typealias Request = PlaybackMachine<LoadedBuffer>.PlayRequest

    let inputs: [LiveInput]
    var source = PlaybackSource.library
    /// The order to play the selected input, or nil if it is silent.
    var request: Request?
    /// The order to play the selected input once another device has replaced the current one.
    var held: Request?
    /// The number of the newest playback order whose fade-out is not reported, because another source was selected.
    var quietFade = -1
    /// The buffer in the orders.
    var present: LiveBuffer?
    /// The page that is played over the source, or nil if there is none.
    var page: PageRequest?
    /// The buffers in earlier formats, which the render thread may still be using.
    var retired: [LiveBuffer] = []

    init(_ inputs: [LiveInput]) { self.inputs = inputs }

    var isInput: Bool { source != .library }
}

/// A live input that is played over the source.
struct PageRequest {
    /// The index of the input.
    let input: Int
    let buffer: LiveBuffer
    /// The time at which the page is heard, in nanoseconds of CLOCK_MONOTONIC.
    let start: Int
}

/// The functions that select a source and play live inputs.
extension RealTimeEngine {
    /// The selected source.
    public var source: PlaybackSource { live.source }

    /// Selects the source to play. The previous source fades out, and its end is not reported. If it is the library, it
    /// continues later at the frame at which its fade-out began. The selected source is silent until `play` is called,
    /// which may follow at once. An input is then played live, so what has arrived in the meantime is discarded. A
    /// pending fade-out is reported as `faded` by the next `takeEvents`.
    /// - Parameters:
    ///   - source: the library or an input with a valid index.
    ///   - ramp: the length of the fade-out, which is at most `EngineSettings.longestFade`.
    public func select(_ source: PlaybackSource, over ramp: Duration) {
        guard source != live.source else { return }
        if isFadingOut { events.append(.faded) }
        if !live.isInput { _ = playback.silence() }
        live.source = source
        live.request = nil
        live.held = nil
        orders.playback.plays = 0
        orders.playback.gain = 0
        orders.playback.number += 1
        live.quietFade = orders.playback.number
        orderSource(over: ramp)
        post()
        // The event has to be taken.
        if !events.isEmpty { exchange.controlBell.ring() }
    }

    /// Orders the selected source in the device's current format.
    func orderSource(over ramp: Duration) {
        var buffer: LiveBuffer?
        if case .input(let index) = live.source { buffer = live.inputs[index].use(playback.format) }
        if let present = live.present, present !== buffer { live.retired.append(present) }
        live.present = buffer
        orders.source.isInput = live.isInput ? 1 : 0
        orders.source.slot = buffer.map { Int(bitPattern: $0.slot) } ?? 0
        orders.source.fadeOut = min(max(ramp, .zero), settings.longestFade).wholeNanoseconds
        orders.source.number += 1
    }

    /// Makes the buffers of all inputs in the format of a device that has just been opened.
    func openInputs() {
        guard !live.inputs.isEmpty else { return }
        for input in live.inputs {
            let old = input.buffer
            if input.use(playback.format) !== old { live.retired.append(old) }
        }
        if let page = live.page { orderPage(page.input, at: page.start) }
        // An input in the same format is already playing on the new device.
        guard case .input(let index) = live.source, live.inputs[index].buffer !== live.present else { return }
        orderSource(over: .zero)
        post()
    }

    /// Plays a live input over the source. It replaces the current sound or page, which fades out. The engine opens the
    /// device if it is closed. What arrives before the wait is over is discarded, so that the input is live.
    /// - Parameters:
    ///   - input: the index of the input in the inputs.
    ///   - wait: the time to wait before the input is heard, which is at most an hour.
    public func playPage(_ input: Int, after wait: Duration) {
        stopSound()
        orders.device.openings += 1
        orderPage(input, at: Int(realtime_now()) + min(max(wait, .zero), .seconds(3600)).wholeNanoseconds)
    }

    /// Stops the page with a fade-out.
    public func stopPage() {
        guard live.page != nil else { return }
        forgetPage()
        post()
    }

    /// Removes the page, because its device is lost. The caller must post the orders.
    func forgetPage() {
        guard let page = live.page else { return }
        live.retired.append(page.buffer)
        live.page = nil
        orders.page.slot = 0
        orders.page.number += 1
    }

    private func orderPage(_ input: Int, at start: Int) {
        let buffer = live.inputs[input].use(playback.format)
        if let old = live.page?.buffer { live.retired.append(old) }
        live.page = PageRequest(input: input, buffer: buffer, start: start)
        // A device that is being closed in favour of another one must become silent first.
        orders.page.slot = device.isLeaving ? 0 : Int(bitPattern: buffer.slot)
        orders.page.wait = max(0, start - Int(realtime_now()))
        orders.page.number += 1
        post()
    }

    /// Begins to play an input anew, because nothing of what arrives is heard.
    /// - Parameter input: the index of the input in the inputs.
    public func renewInput(_ input: Int) {
        let isSelected = live.source == .input(input)
        guard isSelected || live.page?.input == input else { return }
        live.inputs[input].renew()
        if isSelected {
            orderSource(over: .zero)
            if let request = live.request { playInput(request) } else { post() }
        }
        if let page = live.page, page.input == input { orderPage(input, at: page.start) }
    }

    func freeRetiredInputs() {
        guard !live.retired.isEmpty else { return }
        let done = exchange.readStatus().done
        guard done.source == orders.source.number, done.page == orders.page.number else { return }
        live.retired = []
    }

    /// Plays the selected input.
    func playInput(_ request: InputControl.Request) {
        guard !playback.isWithdrawn else {
            live.held = request
            return
        }
        live.request = request
        orders.playback.notBefore = request.notBefore
        direct(plays: true, gain: request.gain, over: request.ramp, given: request.given)
        post()
    }

    /// Silences the selected input at once, because its device is lost. The caller must post the orders.
    /// - Parameter holds: true if the input is played again on the device that replaces the lost one.
    func stopInput(holds: Bool) {
        guard live.isInput, let request = live.request else { return }
        live.request = nil
        live.held = holds ? request : nil
        orders.playback.plays = 0
        orders.playback.ramp = settings.jumpFade.wholeNanoseconds
        orders.playback.number += 1
    }

    /// Plays the selected input on the device that has replaced another one.
    func continueInput() {
        guard let held = live.held else { return }
        live.held = nil
        playInput(held)
    }
}
