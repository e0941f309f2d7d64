import ALSA
import CRealTime

/// The functions that open the device, watch it and replace it.
extension RealTimeEngine {
    /// Opens the device. `deviceOpened` or `deviceLost` reports the result.
    public func open() {
        orders.device.openings += 1
        post()
    }

    func post() {
        exchange.post(orders)
        // Any order can make the render thread open the device, so start to watch it. The render thread itself sets the
        // alarm of a device that is open.
        if !isAlarmSet, !(device.isOpen && exchange.deviceAlarm.isSet) { setAlarm(after: watch.timeout) }
    }

    func setAlarm(after nanoseconds: Int) {
        if case .lost = device.state { return }
        let timeout = sounds.timeoutEnd.map { max(1, $0 - Int(realtime_now())) } ?? nanoseconds
        alarm.setAlarm(after: min(nanoseconds, timeout))
        isAlarmSet = true
    }

    /// Closes the device once nothing can be heard any more, and keeps it closed until `reacquireDevice` is called.
    /// Silence the music and stop the sound first.
    public func releaseDevice() {
        device.release()
        orders.device.releases = 1
        post()
    }

    /// True if the device is closed.
    public var isDeviceClosed: Bool { exchange.lines.phase.value == .closed }

    /// Allows the device to be used again. If it was open when it was released, the engine opens it now.
    public func reacquireDevice() {
        orders.device.releases = 0
        if device.isReopened {
            orders.device.openings += 1
            orders.device.reopens = 1
        }
        device.reacquire(at: Int(realtime_now()))
        post()
    }

    /// Restarts the timeout of the device. Call this if the process has not run for some time, because the device could
    /// not accept frames during that time.
    public func restartWatch() {
        setAlarm(after: watch.timeout)
        if exchange.lines.phase.value != .closed { exchange.deviceAlarm.set(after: watch.timeout) }
    }

    /// Schedules the next check of a device that accepts frames. While the render thread has set the device's alarm, no
    /// other check is needed.
    func watchDevice(again pause: Int) {
        if !exchange.deviceAlarm.isSet { setAlarm(after: pause) }
    }

    var verdict: DeviceWatch.Verdict {
        let phase = exchange.lines.phase.value
        return watch.judge(
            phase, exchange.readStatus(), isWanted: orders.wantsSound, at: Int(realtime_now()))
    }

    /// Checks whether the device still accepts frames.
    func watchDevice() {
        if case .lost = device.state { return }
        if case .replacing(let error, var end, _) = device.state {
            // Nothing is opened until the device is needed again.
            guard orders.device.releases == 0 else { return }
            let now = Int(realtime_now())
            if exchange.lines.phase.value == .opening {
                end = max(end, exchange.readStatus().signs.acceptedAt + watch.openingTimeout)
            }
            guard now >= end else {
                isAlarmSet = true
                return alarm.setAlarm(after: min(end - now, watch.timeout))
            }
            return giveUp(because: error ?? PCMError(PCMFault(.open, code: ETIMEDOUT), device: device.name))
        }
        guard !isAlarmSet else { return }
        let phase = exchange.lines.phase.value
        let status = exchange.readStatus()
        switch watch.judge(phase, status, isWanted: orders.wantsSound, at: Int(realtime_now())) {
        case .idle: break
        case .lookAgain(let pause): watchDevice(again: pause)
        case .lost:
            // If the device has only stalled, its frames will still be heard later. In this case, `correct` updates the
            // playhead.
            lost(
                PCMError(PCMFault(phase == .opening ? .open : .play, code: ETIMEDOUT), device: device.name),
                at: status.time)
        }
    }

    /// Immediately tries to open a lost device instead of waiting for the next attempt. The call does nothing if no
    /// device is lost.
    public func retryDevice() {
        switch device.state {
        case .lost, .replacing: open()
        case .closed, .open: break
        }
    }

    /// Discards the music, which becomes silent at once. The playhead stays the same, and the device stays open.
    public func tearDown() {
        stopInput(holds: false)
        perform(playback.tearDown(index: bufferIndex))
    }

    /// Rebuilds the music in the device's current format, at the current position. If music was playing, it continues
    /// from silence. After a loss, music was not playing, so it stays stopped.
    public func rebuild() {
        perform(playback.rebuild(index: bufferIndex, at: Int(realtime_now())))
        continueInput()
        if device.isOpen { perform(playback.opened(index: bufferIndex)) }
    }

    func opened(
        _ configuration: PCMConfiguration, _ index: Int, _ reason: PCMError?, afterLoss: Bool
    ) {
        let former = device
        if let event = device.opened(configuration, index, at: Int(realtime_now())) { events.append(event) }
        orders.device.target = index
        orders.device.reopens = 0
        playback.format = configuration.format
        openInputs()
        probe?.watch(device.preferred)
        var (loss, wasInUse): (PCMError?, Bool) = (nil, true)
        if case .replacing(let error, _, let wasUsed) = former.state { (loss, wasInUse) = (error, wasUsed) }
        let found = OutputRoute(index: index, device: device.name, reason: index > 0 ? reason ?? loss : nil)
        report(found, former.route, wasInUse: wasInUse)
        if let loss, index == former.route {
            // The former device was reopened at once.
            stopInput(holds: false)
            perform(playback.tearDown(index: bufferIndex))
            events += [.deviceLost(loss), .deviceOpened(configuration), .deviceReset(configuration)]
        } else {
            events.append(.deviceOpened(configuration))
            // A closed device was not playing, so the session does not have to decide anything.
            let isUndecided = former.route.map { index < $0 || (index > $0 && wasInUse) } ?? false
            continuePlayback(on: configuration, after: former, isReset: afterLoss, isUndecided: isUndecided)
        }
        perform(playback.opened(index: bufferIndex))
        if sounds.use(configuration.format) {
            withdrawSound()
            soundThread?.read(in: configuration.format)
        }
    }

    /// - Parameter wasInUse: true if the former device was lost while it was in use.
    private func report(_ route: OutputRoute, _ former: Int?, wasInUse: Bool) {
        if route.index > former ?? 0 {
            events.append(wasInUse && former != nil ? .routeLost(route) : .routeFound(route))
        } else if let former, route.index < former {
            events.append(.routeBack(route))
        }
    }

    /// - Parameters:
    ///   - former: the state of the device before this one was opened.
    ///   - isUndecided: true if the session must first decide whether the music plays on this device.
    private func continuePlayback(
        on configuration: PCMConfiguration, after former: DeviceControl, isReset: Bool, isUndecided: Bool
    ) {
        let hasOtherFormat = former.configuration.map { $0.format != configuration.format } ?? false
        if case .replacing = former.state {
            if hasOtherFormat { events.append(.configurationChanged(configuration.format)) }
            // This happens, for example, if a preferred device returned but could not be opened.
            if !isUndecided { rebuild() }
        } else if !isUndecided, playback.isWithdrawn {
            rebuild()
        } else if isReset {
            events.append(.deviceReset(configuration))
        } else if hasOtherFormat {
            events.append(.configurationChanged(configuration.format))
        } else if let format = playback.buffer?.format ?? playback.request?.format, format != configuration.format {
            // A buffer that was made before the device was first opened is based on an assumed format.
            rebuild()
        }
    }

    /// - Parameter time: the last time for which it is known which frames the device has played, in nanoseconds of
    ///   CLOCK_MONOTONIC.
    func lost(_ error: PCMError, at time: Int) {
        // Post this together with the teardown, so that the render thread receives both at once.
        orders.device.losses += 1
        orders.device.target = device.next
        if let event = device.lost(error, at: Int(realtime_now())) { events.append(event) }
        probe?.rest()
        if case .replacing = device.state { withdraw(at: time) } else { giveUp(because: error, at: time) }
    }

    /// Handles the closing of the device so that a returned one can be used.
    func left() {
        let now = Int(realtime_now())
        orders.device.losses += 1
        device.left(at: now)
        probe?.rest()
        withdraw(at: now)
    }

    /// Parks the music until another device has been opened.
    private func withdraw(at time: Int) {
        sounds.withdraw()
        // The page is ordered again on the device that replaces this one.
        orders.page.slot = 0
        orders.page.number += 1
        orders.sound.slot = 0
        orders.sound.number += 1
        soundThread?.read(rest: nil)
        stopInput(holds: true)
        perform(playback.withdraw(index: bufferIndex(at: time), at: Int(realtime_now())))
    }

    /// Reports that there is no device.
    func giveUp(because error: PCMError, at time: Int? = nil) {
        device.giveUp()
        orders.device.target = 0
        forgetSound()
        live.held = nil
        stopInput(holds: false)
        // Park at the last frame that was heard, so that playback continues with the frames that the device did not
        // play.
        perform(playback.tearDown(index: time.map(bufferIndex(at:)) ?? bufferIndex))
        events.append(.deviceLost(error))
    }

    /// Closes the device in use with a fade-out, because a preferred device has returned.
    func useReturnedDevice() {
        guard let returned = device.waiting, orders.quits == 0, orders.device.releases == 0 else { return }
        switch device.state {
        case .lost, .replacing: break
        case .closed:
            device.leave(for: returned)
            orders.device.target = returned
            open()
        // Let a sound play to its end first.
        case .open where !sounds.isBusy && live.page == nil:
            device.leave(for: returned)
            leaveDevice(for: returned)
        case .open: break
        }
    }

    /// Fades out and closes the device in use. The render thread then opens the target.
    private func leaveDevice(for target: Int) {
        playback.hold(at: Int(realtime_now()))
        live.held = live.request
        live.request = nil
        orders.device.target = target
        orders.device.moves += 1
        if orders.playback.plays != 0 {
            orders.playback.plays = 0
            orders.playback.gain = 0
            orders.playback.ramp = settings.jumpFade.wholeNanoseconds
            orders.playback.number += 1
        }
        post()
    }

    // MARK: Other programs

    /// Keeps devices closed because other programs use them, until another call no longer contains them. If one of them
    /// is in use, it fades out and is closed, and the next device replaces it, or it is reported as lost. A device that
    /// is lost is opened again after `retryDevice`.
    /// - Parameter devices: the indices of the devices in the order of preference.
    public func withhold(_ devices: Set<Int>) {
        guard devices != device.withheld else { return }
        device.withhold(devices)
        orders.device.withheld = devices.reduce(0) { $1 < Int.bitWidth ? $0 | 1 << $1 : $0 }
        if device.isOpen { probe?.watch(device.preferred) }
        post()
        withdrawDevice()
    }

    /// Returns true if the device with this index is open, or if it may be open because the render thread is opening or
    /// closing a device.
    public func isUsing(_ index: Int) -> Bool {
        switch device.state {
        case .open: device.route == index
        case .closed, .lost: exchange.lines.phase.value != .closed
        case .replacing: false
        }
    }

    /// Closes the device in use if another program uses it. Unlike a returned device, that program does not wait until a
    /// sound has been played.
    func withdrawDevice() {
        guard device.mustWithdraw, orders.quits == 0, orders.device.releases == 0 else { return }
        device.withdraw()
        sounds.withdraw()
        orders.sound.slot = 0
        orders.sound.number += 1
        soundThread?.read(rest: nil)
        orders.page.slot = 0
        orders.page.number += 1
        // The attempt to open this device again fails at once, and its error becomes the reason for the change.
        leaveDevice(for: device.route ?? 0)
    }
}
