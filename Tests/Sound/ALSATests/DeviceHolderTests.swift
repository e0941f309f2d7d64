import Foundation
import Testing

@testable import ALSA

/// The program that holds a device, read from files as the kernel writes them.
@Suite struct DeviceHolderTests {
    private let proc: String

    /// Card 0, Headphones, is held by thread 813 of process 812. The second device of card 1, HDMI, is held by process
    /// 900.
    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-proc-\(UUID())")
        proc = folder.path
        try write("asound/card0/pcm0p/sub0/status", "state: RUNNING\nowner_pid   : 813\ntrigger_time: 1.2\n")
        try write("asound/card0/pcm0c/sub0/status", "state: RUNNING\nowner_pid   : 900\n")
        try write("asound/card1/pcm0p/sub0/status", "closed\n")
        try write("asound/card1/pcm1p/sub0/status", "closed\n")
        try write("asound/card1/pcm1p/sub1/status", "state: RUNNING\nowner_pid   : 900\n")
        try write("813/status", "Name:\toutput\nTgid:\t812\nPid:\t813\n")
        try write("812/comm", "mpd\n")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: proc + "/asound/Headphones", withDestinationPath: "card0")
        try manager.createSymbolicLink(atPath: proc + "/asound/HDMI", withDestinationPath: "card1")
    }

    private func write(_ path: String, _ text: String) throws {
        let url = URL(fileURLWithPath: proc).appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    private func holder(_ address: String, except own: Int32 = 1) -> String? {
        DeviceHolder.find(address, proc: proc, except: own)?.description
    }

    @Test(arguments: ["hw:0", "hw:0,0", "plughw:CARD=Headphones,DEV=0", "sysdefault:Headphones", "default"])
    func namesTheProcessOfTheThreadThatOpenedTheDevice(address: String) {
        #expect(holder(address) == "mpd (pid 812)")
    }

    @Test func namesTheProgramThatRecords() {
        #expect(DeviceHolder.find("hw:Headphones,0", capturing: true, proc: proc, except: 1)?.process == 900)
        #expect(DeviceHolder.find("hw:HDMI", capturing: true, proc: proc, except: 1) == nil)
    }

    @Test func namesTheProcessWhoseNameCannotBeRead() {
        #expect(holder("hw:HDMI,1") == "pid 900")
        #expect(holder("hw:CARD=HDMI") == "pid 900")
    }

    @Test func findsNoHolderOfAFreeDeviceOrAMissingCard() {
        #expect(holder("hw:HDMI,0") == nil)
        #expect(holder("hw:CARD=Absent") == nil)
    }

    @Test func ignoresItsOwnStreams() {
        #expect(holder("hw:0", except: 812) == nil)
    }

    @Test func errorSaysThatTheDeviceIsHeldAndByWhom() {
        let error = PCMError.opening(
            "hw:0", code: -EBUSY, cards: [], holder: DeviceHolder(process: 812, program: "mpd"))
        #expect(error.message == "it is held by mpd (pid 812)" && error.code == EBUSY)
        #expect(error.holder?.process == 812)
        let gone = PCMError.opening("hw:0", code: -ENODEV, cards: [], holder: DeviceHolder(process: 1, program: nil))
        #expect(gone.holder == nil)
    }
}
