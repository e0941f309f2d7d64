"""The board is upgraded: while it plays, and with a power cut in the midst of it."""
import shutil

from bench.check import check, expect
from bench.numbers import RATE
from bench.story import arrival, distance
from checks.c06_hangs import INTERVAL, SAVE
from checks.c09_power import last_number

#: Below the folder that the bench shares with the board.
NEWER = "/mnt/bench/newer.deb"
STATUS = "dpkg-query --show --showformat='${Version} ${db:Status-Status}' tacet"


def offer(board):
    """Puts a newer version of the package where the board can read it. Returns its version."""
    shutil.copy(f"{board.machine.image}/newer.deb", f"{board.machine.share}/newer.deb")
    return board.run(f"dpkg-deb --field {NEWER} Version")


@check("upgrade-while-playing")
def upgrade(board):
    """The old daemon plays until the new one takes its place."""
    version = offer(board)
    before, mark = board.settle(), board.journal.mark()
    board.run(f"dpkg --install {NEWER}", timeout=300)
    board.journal.wait("started", mark, timeout=120)
    board.settle()
    expect(board.run(STATUS) == f"{version} installed", board.run(STATUS))
    quiet = sum(piece.count for piece in board.sound.pieces(before) if piece.kind == "silence")
    return f"{version}, quiet for {quiet / RATE:.2f} s"


@check("power-cut-while-upgrading")
def cut(board):
    """Wherever dpkg was, the board plays after the cut, and `dpkg --configure -a` or the same command completes it."""
    found = []
    for phase in ("half-installed", "unpacked", "half-configured"):
        board.cut_power()
        board.boot(fresh=True)
        board.journal.wait("started", 0, timeout=120)
        board.sound.wait(len(board.sound) + 12 * RATE)
        version = offer(board)
        board.run(": >/var/log/dpkg.log")
        board.machine.begin(f"dpkg --install {NEWER}")
        board.run(f"until grep -q 'status {phase} tacet' /var/log/dpkg.log; do sleep 0.02; done")
        last = last_number(board)
        board.cut_power()
        board.boot()
        found.append(board.run(STATUS).split()[-1])
        board.journal.wait("started", 0, timeout=120)
        board.sound.wait_for_music(0, timeout=60)
        repeated = distance(last, arrival(board.sound, 0)) / RATE
        expect(repeated <= INTERVAL + SAVE + 3, f"it resumes {repeated:.1f} s before its position")
        offer(board)
        board.run(f"dpkg --configure -a; dpkg --install {NEWER}", timeout=300)
        expect(board.run(STATUS) == f"{version} installed", board.run(STATUS))
        board.settle()
    board.cut_power()
    board.boot(fresh=True)
    return f"found after the cuts: {', '.join(found)}"
