"""The power is switched on, and no command is sent."""
from bench.board import SIGNALS
from bench.check import check, expect, near
from bench.story import arrival, distance


@check("boots-to-sound", calm=False, core=True)
def boots_to_sound(board):
    board.boot(fresh=True)
    began = board.journal.wait("started", 0, timeout=120)
    music = board.sound.wait_for_music(0, timeout=60)
    first = next(piece for piece in board.sound.pieces(0) if piece.kind != "silence")
    number = arrival(board.sound, 0, music.end)
    near(distance(number, 1), 0, 2, "frames before the first audible one")
    expect(board.show("ActiveState") == "active", "the service is not active")
    kernel_to_sound = board.sound.time_of(first.start) / 1e9
    ready = int(board.show("ActiveEnterTimestampMonotonic")) / 1e6
    expect("resum" not in began["MESSAGE"].lower(), "the first boot resumes something")
    return f"kernel to READY=1 {ready:.1f} s, to the first frame {kernel_to_sound:.1f} s"


@check("nothing-has-failed", calm=False, core=True)
def nothing_has_failed(board):
    failed = board.run("systemctl --failed --no-legend --plain")
    expect(not failed, failed)
    board.prompt()


@check("real-time-and-locked", calm=False, core=True)
def real_time(board):
    """The sandbox allows real-time priority and locked memory."""
    expect(not board.journal.since(0, "not-real-time"), "not-real-time is in the journal")
    threads = "for thread in *; do echo $(<$thread/comm): $(chrt -p $thread | sed -n '1s/.*: //p'); done"
    policies = board.run(f"cd /proc/{board.pid()}/task; {threads}")
    expect("tacet-render: SCHED_FIFO" in policies, policies)
    locked = int(board.run(f"awk '/VmLck/ {{ print $2 }}' /proc/{board.pid()}/status"))
    expect(locked > 0, "no memory is locked")
    return f"tacet-render SCHED_FIFO, {locked / 1024:.1f} MiB locked"


@check("lines-are-listed")
def lines(board):
    listing = board.run("tacet lines")
    for signal, wire in SIGNALS.items():
        expect(any(wire in line and signal in line for line in listing.splitlines()), f"{wire} of {signal}: {listing}")
    expect("panel" in listing, listing)
