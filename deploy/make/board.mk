# The virtual board, the containers, the circuits and the overlays.

# The architecture of the virtual board, arm64 or amd64. Building and testing the board requires root, because of its
# disk.
ARCH ?= arm64
ONLY ?=
VIRTUAL_BOARD := Tests/System/virtual-board
# This is a variable because a comma would end the argument of a function.
KEPT := HOME,XDG_CACHE_HOME,TACET_BOARD,TACET_BOARD_ACCEL,TACET_SEED,FRESH,KEEP,SHARE,SOAK,SKIP,TRIES,TURN,CERTIFICATE,PRIVATE_KEY
# A Swift that is not Debian's is found in the user's PATH only.
AS_ROOT = $(if $(filter-out 0,$(shell id -u)),sudo --preserve-env=$(KEPT) env PATH="$$PATH:/usr/sbin:/sbin")

board: board-image ## boot the virtual board and show its prompt (ARCH=arm64 or amd64)
	$(AS_ROOT) $(VIRTUAL_BOARD)/board.py run $(ARCH)

board-test: board-image ## test Tacet on the virtual board: wires, sound, hangs, power cuts (ARCH=, ONLY=part of a check's name, SKIP=parts of names, TRIES=number of attempts for a failing check, TURN=number: runs the core set and a sixth of the others, SOAK=1: 100 power cuts)
	$(AS_ROOT) $(VIRTUAL_BOARD)/board.py test $(ARCH) $(ONLY)

service-test: programs ## test Tacet as a service of systemd in a container: unit, watchdog, journal (ONLY=part of a check's name)
	$(AS_ROOT) $(VIRTUAL_BOARD)/build/service.sh $(abspath $(BUILT))
	$(AS_ROOT) $(VIRTUAL_BOARD)/board.py service $(ONLY)

package-test: ## install, upgrade, downgrade, remove and purge the package in a container with a clean Debian 13 (ONLY=part of a check's name)
	$(MAKE) deb ARCH=amd64
	$(AS_ROOT) $(VIRTUAL_BOARD)/build/package.sh
	$(AS_ROOT) $(VIRTUAL_BOARD)/board.py package $(ONLY)

gpio-test: ## test only the programs that read wires, on the virtual board, with libgpiod 1.6 and 2 (ARCH=)
	$(MAKE) board-test ONLY=libgpiod

# Without QUICK=1, sets up a Debian system with KiCad, which requires root.
hardware-check: ## simulate the circuits in hardware/schematic, and check the overlays (QUICK=1: only the committed netlist, and fewer boards)
	if ! { command -v python3 && command -v ngspice; } >/dev/null; then $(MAKE) simulator; fi
	$(if $(QUICK),,if ! command -v gnuplot >/dev/null; then $(MAKE) plotter; fi)
	$(if $(QUICK),,$(AS_ROOT)) hardware/check.py $(if $(QUICK),quick,full)
	$(MAKE) overlays-check

plotter:
	$(call apt-install,gnuplot-nox)

simulator:
	$(call apt-install,python3 ngspice)

board-image: ## build the disk of the virtual board and everything that it needs (ARCH=)
	$(AS_ROOT) $(VIRTUAL_BOARD)/build/all.sh $(ARCH)

overlays-check: ## check the device-tree overlays against Debian's device trees (BOOT=1: also boots one)
	$(AS_ROOT) hardware/overlays/check $(if $(BOOT),--boot)
