import ALSA
import Glibc
import Testing

@testable import PulseAudio

@Suite struct PulseAddressTests {
    private func address(_ name: String, _ definition: String? = nil) -> PulseAddress? {
        PulseAddress(PCMAddress(name, definedBy: definition))
    }

    @Test func pulseMeansTheDefaultSinkOrANamedOne() {
        #expect(address("pulse")?.sink == nil && address("pulse") != nil)
        #expect(address("pulse:")?.sink == nil && address("pulse:") != nil)
        let sink = address("pulse:alsa_output.usb-0d8c:00.analog-stereo")
        #expect(sink?.sink == "alsa_output.usb-0d8c:00.analog-stereo" && sink?.server == nil)
    }

    @Test func aDefinitionOfPulseSpecifiesTheServerAndTheSink() {
        let pulse = address("pulse", "pcm.pulse { type pulse server \"unix:/run/a\" device hall }")
        #expect(pulse?.server == "unix:/run/a" && pulse?.sink == "hall" && pulse?.name == "pulse")
    }

    @Test func aNameThatALSAResolvesToASoundServerMeansItsSink() {
        let lobby = address("lobby", "pcm.lobby { type pulse device \"\" server \"\" }")
        #expect(lobby?.sink == nil && lobby?.server == nil && lobby?.name == "lobby" && lobby?.hasOtherWay == false)
        let kitchen = address("kitchen", "pcm.kitchen { type pipewire playback_node \"alsa_output.usb\" }")
        #expect(kitchen?.sink == "alsa_output.usb" && kitchen?.hasOtherWay == true)
        let hall = address("hall", "pcm.hall { type pipewire playback_node \"-1\" }")
        #expect(hall?.sink == nil && hall?.hasOtherWay == true)
        #expect(address("cellar", "pcm.cellar { type pipewire server other }") == nil)
    }

    @Test(arguments: [
        "pcm.pulse { type null }", "pcm.pulse { type plug slave.pcm { type pulse } }", "pcm.other { type pulse }",
        "pcm.pulse {", "",
    ])
    func otherDefinitionsOfPulseAreNotSoundServers(definition: String) {
        #expect(address("pulse", definition) == nil)
    }

    @Test func otherNamesAreNotSoundServers() {
        #expect(address("hw:0") == nil && address("pulseaudio") == nil && address("null") == nil)
    }

    @Test func errorsSayWhatToDo() throws {
        let missing = try #require(address("pulse", "pcm.pulse { type pulse server \"unix:/nonexistent\" }"))
        #expect(!missing.isAvailable(for: StreamFormat(rate: 48_000, channels: 2), program: "test"))
        do throws(PCMError) {
            _ = try PulseStream.open(missing, StreamFormat(rate: 48_000, channels: 2), program: "test", bell: nil)
            Issue.record("There is no such server.")
        } catch {
            #expect(error.code == ECONNREFUSED)
            #expect("\(error)" == "cannot open \"pulse\": Connection refused. Start its sound server")
        }
    }
}
