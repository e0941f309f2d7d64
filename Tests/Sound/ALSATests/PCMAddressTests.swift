import ALSA
import Glibc
import Testing

@Suite struct PCMAddressTests {
    @Test func findsDefinedDevicesAndReportsMissingCards() throws {
        try PCMAddress("null").find()
        // These devices are defined, but their card does not exist.
        #expect(throws: PCMError.self) { try PCMAddress("hw:CARD=NoSuchCard,DEV=0").find() }
        #expect(throws: PCMError.self) { try PCMAddress("plughw:NoSuchCard").find() }
        #expect(throws: PCMError.self) { try PCMAddress("sysdefault:CARD=NoSuchCard").find() }
    }

    @Test func reportsAnUndefinedName() {
        #expect {
            try PCMAddress("nowhere").find()
        } throws: {
            ($0 as? PCMError)?.code == ENOENT
        }
    }
}
