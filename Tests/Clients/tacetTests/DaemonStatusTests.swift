import Systemd
import Testing

@testable import tacet

@Suite struct DaemonStatusTests {
    private func status(_ changes: [String: BusValue] = [:]) -> DaemonStatus {
        func states(_ states: [(String, String)]) -> BusValue {
            .array(of: "(ss)", states.map { .structure([.string($0), .string($1)]) })
        }
        let session: [String: BusValue] = [
            "Why": .string("Playing ‘One.flac’ at 2:31."), "Interrupted": .bool(false), "Gain": .double(0),
            "Scene": .dictionary(["volume_db": .double(-6)]), "Device": .string("hw:1"),
            "DeviceAvailable": .bool(true), "LastCheckpoint": .uint64(1_000_000),
            "Signals": .array(
                of: "(ssb)",
                [("phone-call", true), ("alarm", false), ("door", false), ("bell", false)].map {
                    .structure([.string($0), .string("pause"), .bool($1)])
                }),
            "SignalStates": states([
                ("phone-call", "inForce"), ("alarm", "dropped"), ("door", "suppressed"), ("bell", "deasserted"),
            ]),
        ]
        return DaemonStatus(session: session.merging(changes) { $1 }, player: [:], now: 126_000_000)
    }

    @Test func listsTheWholeState() {
        #expect(
            status().lines.joined(separator: "\n") == """
                Playing ‘One.flac’ at 2:31.

                Volume   -6dB
                Session  active
                Device   hw:1
                Saved    2min 5s ago
                Signals
                  phone-call  pause            ACTIVE
                  alarm       pause            asserted, dropped as stuck
                  door        pause            asserted, suppressed as an alert
                  bell        pause            –
                Health   nothing is wrong
                """)
    }

    @Test func signalHasOnlyItsOwnFaults() {
        // The faults include those of a sound and of the capture device, which have the names of signals.
        let faults = ["alarm:sound", "capture:lost", "phone-call:stuck", "signal capture:lost"].map(BusValue.string)
        func signals(capture: [BusValue]) -> [String] {
            let scene = BusValue.dictionary(["volume_db": .double(-6), "faults": .array(of: "s", capture)])
            let names = ["phone-call", "alarm", "capture"].map {
                BusValue.structure([.string($0), .string("pause"), .bool(false)])
            }
            return status(["Scene": scene, "Signals": .array(of: "(ssb)", names)]).signals.map {
                $0.name + ":" + $0.faults.joined(separator: ",")
            }
        }
        #expect(signals(capture: faults) == ["phone-call:stuck", "alarm:", "capture:lost"])
        #expect(signals(capture: [faults[1]]) == ["phone-call:", "alarm:", "capture:"])
    }

    @Test func showsOutputs() {
        let outputs = [("lamp", "interrupted", false), ("amplifier", "amplifier", true)].map {
            name, meaning, isAsserted in
            BusValue.structure([.string(name), .string(meaning), .bool(isAsserted)])
        }
        let status = status(["Outputs": .array(of: "(ssb)", outputs)])
        #expect(status.lines.contains("Outputs  lamp (interrupted) off, amplifier on"))
        #expect(status.json.contains("\"outputs\":[\"amplifier\"]"), "\(status.json)")
    }

    @Test func showsWhatIsRecorded() {
        func recorded(_ seconds: Double) -> BusValue {
            .dictionary(["volume_db": .double(0), "recorded": .double(seconds)])
        }
        let on = status(["Recording": .bool(true), "RecordingFile": .string("/srv/r/1.flac"), "Scene": recorded(63.5)])
        #expect(on.lines.contains("Recorded 1:03 so far, to /srv/r/1.flac"), "\(on.lines)")
        #expect(
            on.json.contains("\"recording\":true,\"recording_file\":\"/srv/r/1.flac\",\"recorded\":63.5"), "\(on.json)")
        let paused = status(["Recording": .bool(false), "RecordingFile": .string("/srv/r/1.flac")])
        #expect(paused.lines.contains("Recorded 0:00 so far, not at present, to /srv/r/1.flac"), "\(paused.lines)")
        let off = status(["Recording": .bool(false), "RecordingFile": .string(""), "Scene": recorded(9)])
        #expect(off.lines.contains("Recorded 0:09 so far, not at present"), "\(off.lines)")
        #expect(off.json.contains("\"recording\":false,\"recording_file\":null,\"recorded\":9.0"), "\(off.json)")
        #expect(!status().lines.contains { $0.hasPrefix("Recorded") })
    }

    @Test func showsThePlayingSoundAndQueuedAnnouncements() {
        func scene(_ fields: [String: BusValue]) -> BusValue {
            .dictionary(["volume_db": .double(0)].merging(fields) { $1 })
        }
        let gong = scene([
            "sound": .string("gong"), "waiting": .strings(["stop", "stop"]), "faults": .strings(["alarm:sound"]),
        ])
        let both = status(["Scene": gong])
        #expect(both.lines.contains("Sound    gong; stop, stop queued"))
        #expect(both.json.contains("\"sound\":\"gong\",\"waiting\":[\"stop\",\"stop\"]"), "\(both.json)")
        // The fault of a sound does not belong to a signal with the same name.
        #expect(both.lines.contains("  alarm       pause            asserted, dropped as stuck"))
        #expect(status(["Scene": scene(["waiting": .strings(["stop"])])]).lines.contains("Sound    stop queued"))
        #expect(status().json.contains("\"sound\":null,\"waiting\":[]"))
    }

    /// A wire that cannot be read is not necessarily released.
    @Test func lostSignalShowsTheLevelItCountsAs() {
        let scene = BusValue.dictionary([
            "volume_db": .double(0),
            "faults": .strings(["phone-call:lost", "bell:lost", "door:chatter", "alarm:stuck"]),
        ])
        let lines = status(["Scene": scene]).lines
        #expect(lines.contains("  phone-call  pause            LOST, counts as asserted"))
        #expect(lines.contains("  bell        pause            LOST, counts as released"))
        #expect(lines.contains("  door        pause            asserted, suppressed as an alert, chattering"))
        #expect(lines.contains("  alarm       pause            asserted, dropped as stuck"))
    }

    @Test func showsMissingDeviceAndCheckpoint() {
        let text = status([
            "DeviceAvailable": .bool(false), "LastCheckpoint": .uint64(0), "Interrupted": .bool(true),
            "Scene": .dictionary(["volume_db": .double(-120)]),
        ]).lines.joined(separator: "\n")
        #expect(
            text.contains("\nVolume   mute\nSession  interrupted\nDevice   hw:1, not available\nSaved    not yet\n"))
        // The clock was set back after the save.
        #expect(status(["LastCheckpoint": .uint64(200_000_000)]).lines.contains("Saved    0s ago"))
        // This is the state during a reload.
        #expect(!status(["Device": .string("")]).lines.contains { $0.hasPrefix("Device") })
    }

    @Test(arguments: [("preferred", "hw:1"), ("fallback", "hw:1, the fallback"), ("unplugged", "hw:1, unplugged")])
    func showsWhichDeviceIsInUse(route: String, text: String) {
        let shown = status(["Route": .string(route)])
        #expect(shown.lines.contains("Device   \(text)"))
        #expect(shown.json.contains("\"route\":\"\(route)\""))
    }

    @Test func showsHowFarTheDeviceRewinds() {
        let shown = status(["RewindMargin": .uint64(5333)])
        #expect(shown.lines.contains("Device   hw:1, replaces queued sound up to 5 ms before it is played"))
        #expect(shown.json.contains("\"rewind_margin_usec\":5333"))
    }

    @Test func jsonHasTheSameState() {
        let json = status().json
        #expect(
            json.contains(
                "\"volume_db\":-6.0,\"device\":\"hw:1\",\"device_available\":true,"
                    + "\"route\":null,\"rewind_margin_usec\":null,\"last_checkpoint\":\"1970-01-01T00:00:01.000000Z\""))
        #expect(
            json.contains(
                "{\"name\":\"alarm\",\"effect\":\"pause\",\"in_force\":false,\"state\":\"dropped\",\"faults\":[],"
                    + "\"poll_ms\":null}"))
    }
}
