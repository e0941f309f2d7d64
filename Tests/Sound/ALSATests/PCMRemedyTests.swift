import CALSA
import Testing

@testable import ALSA

@Suite struct PCMRemedyTests {
    @Test(arguments: [
        (EINTR, PCMState.running, PCMRemedy.tryAgain),
        (EAGAIN, .running, .wait), (EAGAIN, .prepared, .wait), (EAGAIN, .underrun, .prepare),
        (EPIPE, .underrun, .prepare), (EPIPE, .running, .prepare),
        (ESTRPIPE, .suspended, .resume), (EBADFD, .suspended, .resume),
        (EBADFD, .setup, .prepare), (EBADFD, .draining, .prepare), (EBADFD, .paused, .prepare),
        (EBADFD, .running, .reopen), (EBADFD, .open, .reopen),
        (ENODEV, .running, .reopen), (EPIPE, .disconnected, .reopen), (EAGAIN, .disconnected, .reopen),
        (EIO, .running, .reopen), (ENXIO, .running, .reopen), (ECONNREFUSED, .running, .reopen),
        (EINVAL, .prepared, .reopen),
    ])
    func remedyDependsOnErrnoAndState(code: Int32, state: PCMState, expected: PCMRemedy) {
        #expect(PCMRemedy(for: code, in: state) == expected)
    }
}
