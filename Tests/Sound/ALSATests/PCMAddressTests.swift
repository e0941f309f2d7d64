import ALSA
import Glibc
import Testing

@Suite struct PCMAddressTests {
    @Test func whatAlsaKnowsIsFoundWithoutBeingOpened() throws {
        try PCMAddress("null").find()
        // Whether there is a card decides for the others.
        #expect(throws: PCMError.self) { try PCMAddress("hw:CARD=NoSuchCard,DEV=0").find() }
        #expect(throws: PCMError.self) { try PCMAddress("plughw:NoSuchCard").find() }
        #expect(throws: PCMError.self) { try PCMAddress("sysdefault:CARD=NoSuchCard").find() }
    }

    @Test func aNameThatNobodyHasDefinedSaysSo() {
        #expect {
            try PCMAddress("nowhere").find()
        } throws: {
            ($0 as? PCMError)?.code == ENOENT
        }
    }
}
