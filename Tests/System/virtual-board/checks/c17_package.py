"""The board is upgraded while it plays, and with a power cut during the upgrade."""
from bench.check import check, expect
from bench.numbers import RATE
from bench.story import arrival, distance
from checks.c06_hangs import INTERVAL, SAVE
from checks.c09_power import last_number

STATUS = "dpkg-query --show --showformat='${Version} ${db:Status-Status}' tacet"


def offer(board):
    """Makes a newer version of the package available to the board. Returns its path there and its version."""
    newer = board.lend("newer.deb")
    return newer, board.run(f"dpkg-deb --field {newer} Version")


def install(board, package):
    """Installs a package while the board plays, and waits for its daemon."""
    mark = board.journal.mark()
    board.run(f"dpkg --install {package}", timeout=300)
    board.journal.wait("started", mark, timeout=120)


@check("upgrade-while-playing")
def upgrade(board):
    """The old daemon plays until the new one takes its place. Afterwards, the board gets its own version again."""
    newer, version = offer(board)
    own, before = board.run(STATUS), board.settle()
    try:
        install(board, newer)
        board.settle()
        expect(board.run(STATUS) == f"{version} installed", board.run(STATUS))
        quiet = sum(piece.count for piece in board.sound.pieces(before) if piece.kind == "silence")
    finally:
        install(board, board.lend("tacet.deb"))
    board.settle()
    expect(board.run(STATUS) == own, board.run(STATUS))
    return f"{version}, quiet for {quiet / RATE:.2f} s"


@check("power-cut-while-upgrading", minutes=5)
def cut(board):
    """Whatever dpkg was doing, the board plays after the cut, and `dpkg --configure -a` or the same command completes
    the upgrade."""
    found = []
    for phase in ("half-installed", "unpacked", "half-configured"):
        board.cut_power()
        board.boot(fresh=True)
        board.journal.wait("started", 0, timeout=120)
        board.sound.wait(len(board.sound) + 12 * RATE)
        newer, version = offer(board)
        board.run(": >/var/log/dpkg.log")
        board.machine.begin(f"dpkg --install {newer}")
        board.run(f"until grep -q 'status {phase} tacet' /var/log/dpkg.log; do sleep 0.02; done")
        last = last_number(board)
        board.cut_power()
        board.boot()
        found.append(board.run(STATUS).split()[-1])
        board.journal.wait("started", 0, timeout=120)
        board.sound.wait_for_music(0, timeout=60)
        repeated = distance(last, arrival(board.sound, 0)) / RATE
        expect(repeated <= INTERVAL + SAVE + 3, f"it resumes {repeated:.1f} s before its position")
        # Switching on empties the shared folder.
        board.run(f"dpkg --configure -a; dpkg --install {board.lend('newer.deb')}", timeout=300)
        expect(board.run(STATUS) == f"{version} installed", board.run(STATUS))
        board.settle()
    board.cut_power()
    board.boot(fresh=True)
    return f"found after the cuts: {', '.join(found)}"
