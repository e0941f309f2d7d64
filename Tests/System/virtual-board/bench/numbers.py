#!/usr/bin/env python3
"""Music whose frames contain their own numbers, so that a recording shows lost or repeated frames exactly, and two
sounds to play over it, one with its own numbers and one that is silent.

usage: numbers.py MUSIC SOUNDS    writes MUSIC/numbers.wav, SOUNDS/chime.wav and SOUNDS/quiet.wav"""
import array
import os
import sys
import wave

RATE = 48_000
#: Frames of the music, numbered from 1. A 24-bit sample goes up to 8388607.
FRAMES = 170 * RATE
#: The frames of the chime. They are also part of the music, but the checks never play that far.
CHIME = (160 * RATE + 1, 163 * RATE)
#: Frames of the silent sound.
QUIET = RATE


def numbers(first, last):
    """Returns the numbers `first` to `last` as 32-bit integers in the byte order of a WAV."""
    values = array.array("I", range(first, last + 1))
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def write(path, values):
    """Writes a file whose two channels contain the values in 24 bits. `values` are 32-bit integers, as from
    `numbers`."""
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(3)
        file.setframerate(RATE)
        frames = bytearray(6 * (len(values) // 4))
        for byte in range(3):
            frames[byte::6] = frames[byte + 3 :: 6] = values[byte::4]
        file.writeframes(frames)


def recorded():
    """Returns the whole music as the card's far end receives it, with two 32-bit samples per frame and the number in
    the upper 24 bits."""
    values = numbers(1, FRAMES)
    frames = bytearray(8 * FRAMES)
    for byte in range(3):
        frames[byte + 1 :: 8] = frames[byte + 5 :: 8] = values[byte::4]
    return bytes(frames)


if __name__ == "__main__":
    music, sounds = sys.argv[1:]
    for folder in (music, sounds):
        os.makedirs(folder, exist_ok=True)
    write(f"{music}/numbers.wav", numbers(1, FRAMES))
    write(f"{sounds}/chime.wav", numbers(*CHIME))
    write(f"{sounds}/quiet.wav", bytes(4 * QUIET))
