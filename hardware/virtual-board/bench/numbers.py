#!/usr/bin/env python3
"""A programme whose frames carry their own numbers, so that a recording shows to the frame what was lost or repeated.

usage: numbers.py FILE.wav"""
import array
import sys
import wave

RATE = 48_000
#: Frames of the programme, numbered from 1. A 24-bit sample goes up to 8388607.
FRAMES = 170 * RATE


def numbers(first, last):
    """The numbers `first` to `last`, as 32-bit integers in the byte order of a WAV."""
    values = array.array("I", range(first, last + 1))
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def write(path):
    """Both channels contain the number, in 24 bits."""
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(3)
        file.setframerate(RATE)
        values = numbers(1, FRAMES)
        frames = bytearray(6 * FRAMES)
        for byte in range(3):
            frames[byte::6] = frames[byte + 3 :: 6] = values[byte::4]
        file.writeframes(frames)


def recorded():
    """The whole programme as the card's far end receives it: two 32-bit samples a frame, with the number in the upper
    24 bits."""
    values = numbers(1, FRAMES)
    frames = bytearray(8 * FRAMES)
    for byte in range(3):
        frames[byte + 1 :: 8] = frames[byte + 5 :: 8] = values[byte::4]
    return bytes(frames)


if __name__ == "__main__":
    write(sys.argv[1])
