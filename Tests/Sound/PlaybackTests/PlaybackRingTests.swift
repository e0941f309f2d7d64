import Testing

@testable import Playback

@Suite struct PlaybackRingTests {
    /// Writes as many of `count` frames as fit, numbered from the ring's write index, and returns their number.
    @discardableResult
    private func write(_ count: Int, to ring: PlaybackRing) -> Int {
        var done = 0
        while done < count {
            let segment = ring.writeSegment()
            let frames = min(segment.frames, count - done)
            if frames == 0 { break }
            for index in 0..<frames * ring.channels {
                segment.start[index] = Float(ring.writeIndex + index / ring.channels)
            }
            ring.produce(frames)
            done += frames
        }
        return done
    }

    /// Reads as many of `count` frames as are available.
    private func read(_ count: Int, from ring: PlaybackRing) -> [Int] {
        var numbers: [Int] = []
        while numbers.count < count {
            let segment = ring.reader.readSegment(limit: count - numbers.count)
            if segment.frames == 0 { break }
            numbers += (0..<segment.frames).map { Int(segment.start[$0 * ring.channels]) }
            ring.reader.consume(segment.frames)
        }
        return numbers
    }

    @Test func readsFramesInOrderAcrossTheWrap() {
        let ring = PlaybackRing(capacity: 13, history: 4, channels: 2)
        var expected = 0
        for step in 0..<200 {
            write(step % 7, to: ring)
            let frames = read(step % 5 + 1, from: ring)
            #expect(frames == Array(expected..<expected + frames.count))
            expected += frames.count
        }
        #expect(expected > 100)
    }

    @Test func writingNeverOverwritesTheHistory() {
        let ring = PlaybackRing(capacity: 10, history: 4, channels: 1)
        #expect(write(100, to: ring) == 6)
        #expect(read(6, from: ring) == Array(0..<6))
        #expect(write(100, to: ring) == 6)
        #expect(read(5, from: ring) == Array(6..<11))
        #expect(ring.reader.rewind(to: 7))
        #expect(ring.reader.readableFrames == 5)
        #expect(ring.writableFrames == 1)
        #expect(write(100, to: ring) == 1)
        #expect(read(100, from: ring) == Array(7..<13))
    }

    @Test func rewindingBeyondTheHistoryFails() {
        let ring = PlaybackRing(capacity: 20, history: 4, channels: 1)
        write(10, to: ring)
        _ = read(10, from: ring)
        #expect(ring.reader.rewind(to: 6))
        #expect(!ring.reader.rewind(to: 5))
        // Rewinding in several steps also fails, because older frames may have been overwritten.
        #expect(ring.reader.readIndex == 6)
        #expect(!ring.reader.rewind(to: 4))
        #expect(!ring.reader.rewind(to: 11))
        #expect(ring.reader.rewind(to: 10))
    }

    @Test func endIndexIsAfterTheLastFrame() {
        let ring = PlaybackRing(capacity: 20, history: 8, channels: 1)
        write(10, to: ring)
        #expect(ring.endIndex == nil)
        ring.end()
        #expect(ring.endIndex == 10 && ring.reader.endIndex == 10)
        #expect(read(20, from: ring) == Array(0..<10))
    }
}
