#!/usr/bin/python3
"""A radio station that behaves badly, for the tests of tacet-stream.

Usage: bad-server.py MUSIC [CERTIFICATE KEY]

MUSIC is a folder with music.mp3, music.aac and so on. Prints the port, and afterwards the path of each request.
"""
import gzip
import os
import socket
import ssl
import struct
import sys
import threading
import time

MUSIC = sys.argv[1]
# The bytes per second of music.mp3.
RATE = 16000
listener = socket.create_server(("127.0.0.1", 0))
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    listener = context.wrap_socket(listener, server_side=True, do_handshake_on_connect=False)


def music(name="music.mp3"):
    with open(os.path.join(MUSIC, name), "rb") as file:
        return file.read()


def header(kind, *more):
    return ("HTTP/1.0 200 OK\r\nContent-Type: %s\r\n%s\r\n" % (kind, "".join(m + "\r\n" for m in more))).encode()


def redirect(to):
    return ("HTTP/1.0 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % to).encode()


def steadily(connection, data, burst=4.0, rate=RATE):
    """Sends a burst, and the rest in real time."""
    start, sent = time.monotonic(), 0
    while sent < len(data):
        due = int((time.monotonic() - start + burst) * rate)
        if due > sent:
            connection.sendall(data[sent:due])
            sent = due
        time.sleep(0.05)


def with_titles(data, interval):
    """Inserts titles: a good one, an empty one, and garbage."""
    titles = [b"StreamTitle='Artist - It's a song';StreamUrl='';", b"", bytes(range(128, 256)) * 20, b"\x1b[2J';;="]
    result = b""
    for number, place in enumerate(range(0, len(data), interval)):
        part = data[place:place + interval]
        title = titles[min(number, 3)] if len(part) == interval else b""
        length = (len(title) + 15) // 16
        result += part + bytes([length]) + title.ljust(length * 16, b"\0")
    return result


def ogg_page(number, kind, lacing, body):
    """Returns a page of an Ogg stream."""
    head = b"OggS" + struct.pack("<BBqIII", 0, kind, -1 if number else 0, 1, number, 0) + bytes([len(lacing)]) + lacing
    total = 0
    for byte in head + body:
        total = ((total << 8) & 0xffffffff) ^ CRC[(total >> 24) ^ byte]
    return head[:22] + struct.pack("<I", total) + head[26:] + body


def crc_entry(value):
    for _ in range(8):
        value = (value << 1) ^ (0x104c11db7 if value & 0x80000000 else 0)
    return value


CRC = [crc_entry(byte << 24) for byte in range(256)]


def answer(connection, path):
    send = connection.sendall
    path = path.split("?")[0]
    if path.startswith("/file/"):
        name = path[6:]
        kinds = {"mp3": "audio/mpeg", "flac": "audio/flac", "aac": "audio/aac"}
        size = os.path.getsize(os.path.join(MUSIC, name))
        send(header(kinds.get(name.split(".")[-1], "application/ogg"), "icy-name: Test Radio"))
        steadily(connection, music(name), rate=max(1, size // 20))
    elif path == "/shoutcast":
        send(b"ICY 200 OK\r\ncontent-type:audio/mpeg\r\nicy-name:Old Radio\r\n\r\n")
        steadily(connection, music())
    elif path == "/icy":
        send(header("audio/mpeg", "icy-metaint: 8192", "icy-name: Test\x1b Radio"))
        steadily(connection, with_titles(music(), 8192), rate=RATE * 11 // 10)
    elif path == "/burst":
        send(header("audio/mpeg"))
        steadily(connection, music(), burst=10)
    elif path == "/jitter":
        send(header("audio/mpeg"))
        data, place = music(), 0
        while place < len(data):
            send(data[place:place + 2 * RATE])
            place += 2 * RATE
            time.sleep(1.9)
    elif path == "/silence":
        send(header("audio/mpeg"))
        steadily(connection, music("silence.mp3"), rate=os.path.getsize(os.path.join(MUSIC, "silence.mp3")) / 20)
    elif path == "/reset":
        send(header("audio/mpeg") + music()[:RATE])
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif path == "/flap":
        send(header("audio/mpeg") + music()[:RATE // 4])
    elif path == "/stall":
        send(header("audio/mpeg") + music()[:4 * RATE])
        time.sleep(60)
    elif path == "/nothing":
        time.sleep(60)
    elif path == "/loop":
        send(redirect("/loop"))
    elif path == "/moved":
        send(redirect("file/music.mp3"))
    elif path == "/to-file":
        send(redirect("file:///etc/passwd"))
    elif path == "/to-http":
        send(redirect("http://127.0.0.1:9/"))
    elif path == "/header":
        send(b"HTTP/1.0 200 OK\r\n")
        while True:
            send(b"X-Endless: %s\r\n" % (b"x" * 1000))
    elif path.startswith("/refer/"):
        send(redirect("http://%s/" % path[7:]))
    elif path.startswith("/list/"):
        send(header("audio/x-mpegurl") + b"http://%s/\n" % path[6:].encode())
    elif path == "/gzip":
        send(header("audio/mpeg", "Content-Encoding: gzip") + gzip.compress(music()))
    elif path == "/gzip-twice":
        # A few hundred bytes that expand to 64 MiB.
        send(header("audio/mpeg", "Transfer-Encoding: gzip, gzip") + gzip.compress(gzip.compress(bytes(64 << 20))))
    elif path == "/endless-tag":
        # An ID3 tag of 256 MiB.
        send(header("audio/mpeg") + b"ID3\x03\0\0\x7f\x7f\x7f\x7fAPIC\x0f\xff\xff\xf0\0\0")
        for _ in range(256):
            send(bytes(1 << 20))
    elif path == "/endless-packet":
        # The second packet, which contains the comments, never ends.
        head = b"\x01vorbis" + struct.pack("<IBIiiiBB", 0, 2, 48000, 0, 128000, 0, 0xb8, 1)
        send(header("application/ogg") + ogg_page(0, 2, bytes([len(head)]), head))
        for number in range(1, 1000):
            comments = b"\x03vorbis" + struct.pack("<I", 1 << 30) if number == 1 else b""
            send(ogg_page(number, 1 if number > 1 else 0, b"\xff" * 255, comments.ljust(255 * 255, b"x")))
    elif path == "/html":
        send(header("text/html") + b"<!DOCTYPE html><html><body>Please log in" + b"." * 1000)
    elif path == "/disguised":
        send(header("audio/mpeg") + b"<!DOCTYPE html><html><body>Please log in" + b"." * 1000)
    elif path == "/noise":
        send(header("audio/mpeg") + bytes((i * i * 31 + i // 7) & 0x7f for i in range(200000)))
    elif path == "/truncated":
        data = music()
        # Every 20,000 bytes, 3,000 are missing, so that frames are cut.
        send(header("audio/mpeg"))
        steadily(connection, b"".join(data[i:i + 17000] for i in range(0, len(data), 20000)))
    elif path == "/self.m3u":
        send(header("audio/x-mpegurl") + b"#EXTM3U\r\nself.m3u\r\n")
    elif path == "/list.pls":
        send(header("audio/x-scpls") + b"[playlist]\r\nNumberOfEntries=1\r\nFile1=file/music.mp3\r\n")
    elif path == "/long.m3u":
        send(header("audio/x-mpegurl") + b"#EXTM3U\r\n" + b"# comment\r\n" * 20000)
    elif path == "/hls.m3u8":
        send(header("application/vnd.apple.mpegurl") + b"#EXTM3U\n#EXT-X-TARGETDURATION:4\na.ts\n")
    elif path == "/list-to-file.m3u":
        send(header("audio/x-mpegurl") + b"file:///etc/passwd\n")
    else:
        send(b"HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n")


def serve(connection):
    try:
        with connection:
            if isinstance(connection, ssl.SSLSocket):
                connection.do_handshake()
            request = b""
            while b"\r\n\r\n" not in request:
                part = connection.recv(4096)
                if not part:
                    return
                request += part
            path = request.split()[1].decode()
            print(path, flush=True)
            answer(connection, path)
    except OSError:
        pass


print(listener.getsockname()[1], flush=True)
while True:
    try:
        client, _ = listener.accept()
    except OSError:
        continue
    threading.Thread(target=serve, args=(client,), daemon=True).start()
