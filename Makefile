# Everything that people and CI do with Tacet. On a Debian machine, each target installs what it needs and then does its
# work. If everything is up to date, it does nothing.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory --silent
.DEFAULT_GOAL := help
# Debian installs servers such as mosquitto there, which only root's path includes.
export PATH := $(PATH):/usr/sbin

SWIFT_FLAGS := -Xswiftc -warnings-as-errors
# With optimisation, as on the board, so that all states can be visited within seconds.
RELEASE := -c release $(SWIFT_FLAGS)
# Swift's libraries are linked statically, so a board does not need Swift. (Also, a benchmark and the program that it
# measures would share dynamic libraries, of which PSS includes only half.) All programs are built in one folder, so
# that each module is compiled only once.
SWIFT_LIBRARIES = $(shell swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
LINKING ?= $(if $(wildcard $(SWIFT_LIBRARIES)_static),--static-swift-stdlib)
BUILD := .build
BUILT := $(BUILD)/release
SWIFT_BUILD = deploy/build/progress swift build $(RELEASE) $(LINKING) --scratch-path $(BUILD)
TACET := $(BUILT)/tacet

# A real recording: songs by Sectoid (MIT licence).
MUSIC_PACKAGE := fretsonfire-songs-sectoid
MUSIC_FOLDER := /usr/share/games/fretsonfire/data/songs/sectoid
# An alarm's tone and a chime, from freedesktop.org's sound theme.
SOUND_PACKAGE := sound-theme-freedesktop
SOUND_FOLDER := /usr/share/sounds/freedesktop/stereo
REHEARSAL := .build/rehearsal

help: ## list these targets
	awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Without optimisation, because a person waits for the result. This halves the compilation time, and a minute of music
# takes one second.
REHEARSED := .build/debug/tacet
run build: export TACET_TARGETS := tacet
run: toolchain libraries music sounds ## rehearse 84 seconds of music with a call, alarms, announcements, a closed cover, a power cut and a telephone that plays
	mkdir -p $(REHEARSAL)
	[ -x $(REHEARSED) ] || echo "Building. This takes a minute …"
	deploy/build/progress swift build --product tacet
	$(REHEARSED) simulate deploy/rehearsal/bus.scenario --config deploy/rehearsal/bus.conf \
	  --wav $(REHEARSAL)/bus.wav --trace $(REHEARSAL)/bus.jsonl --timeline $(REHEARSAL)/bus.svg \
	  --input airplay=$(REHEARSAL)/telephone.ogg --title '84 seconds on a bus'
	echo
	echo "The sound:       $(CURDIR)/$(REHEARSAL)/bus.wav"
	echo "The trace:       $(CURDIR)/$(REHEARSAL)/bus.jsonl"
	echo "The picture:     $(CURDIR)/$(REHEARSAL)/bus.svg"
	echo "The scenario:    $(CURDIR)/deploy/rehearsal/bus.scenario (change it and run this again)"

# Tests are built with different flags from programs, so they have a separate folder. Otherwise, each build would undo the
# other. Tests/XCTMain.swift explains why there is no index.
SWIFT_TESTING := --disable-xctest --enable-swift-testing --disable-index-store
TESTS := $(RELEASE) $(SWIFT_TESTING) --scratch-path .build/tests
# For testing a single change quickly. Compiles only what has changed, without optimisation and without the tests of other
# modules.
UNOPTIMISED := $(SWIFT_FLAGS) $(SWIFT_TESTING) --scratch-path .build/quick

# Each check of files counts as a test, so a failure does not hide the others. What only `test-peers` needs is not installed.
test: toolchain test-packages $(if $(ONLY),$(shell Tests/Tools/targets --peers '$(ONLY)'),tests) ## run all tests that need neither a virtual machine nor other people's players (ONLY=part of a test's name: runs only these tests, without optimisation)
	$(if $(ONLY),TACET_TARGETS="$$(Tests/Tools/targets '$(ONLY)')" swift test $(UNOPTIMISED) --filter '$(ONLY)',\
	  $(RUN_TESTS) $(CHECKED:%=--check 'make %'))

test-peers: toolchain test-packages peers tests ## run the tests with other people's programs: Chromium, MPD, mpv, VLC, Icecast, Snapcast, shairport-sync, Cockpit
	$(RUN_TESTS) --kind Peers --check 'make cockpit-test BUILT=.build/tests/release SWIFT_BUILD=:'

# The checks that do not need a compiler.
CHECKED := import-check vocabulary-check deploy-check page-check
RUN_TESTS := Tests/Tools/suite .build/tests/release/tacetPackageTests.xctest

# Works in a separate folder, so that the mistakes never reach the source.
mutants: toolchain test-packages peers ## check that each small mistake in the source fails a test, and print the name of this test (ONLY=parts of names)
	Tests/Mutants/run $(ONLY)

# Only `swift test` compiles the modules in such a way that tests can access their internals.
tests: toolchain libraries ## compile the tests and all programs as `make test` does
	mkdir -p .build/tests
	TACET_TARGETS=tests swift test list $(TESTS) >.build/tests/list || { cat .build/tests/list; exit 1; }

# The suites that play in real time.
empty :=
LISTENING = $(subst $(empty) ,|,$(basename $(notdir $(wildcard Tests/*/*/Listening/*Tests.swift))))

# This is a debug build in its own folder. The suppressions file gives the reason for each suppression.
test-thread: toolchain libraries sound-server ## run the engine's tests under ThreadSanitizer
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/Tools/ThreadSanitizer.suppressions" \
	  swift test --sanitize=thread $(SWIFT_TESTING) --scratch-path .build/thread --no-parallel --filter '\.($(LISTENING))/'

# `make test` does the same with every 25th checkpoint and with fixed seeds.
proof: toolchain libraries sound-server ## run the randomised tests in full: all kinds of damage to saved states, 10,000 power cuts during saves and 10,000 during recordings, 200 interruptions of a recording and 1,000 of a long queue, 10,000 random scenarios, and as many recorded ones (TACET_SEED= replays a run)
	TACET_PROOF=1 swift test $(TESTS) --filter '(Damage|StateFile|Crash|RandomScenario|Heard|PowerCut)Tests'
	TACET_PROOF=1 swift test $(TESTS) --no-parallel --filter '(MicrophoneRecorderTests|RewindingTests.pausesAndResumesAreExact)'

build: toolchain libraries ## build the programs
	[ -x $(TACET) ] || echo "Building. This takes a minute or two …"
	$(SWIFT_BUILD) --product tacet

deploy-check: overlay-compiler message-bus ## check the unit, the catalog and the other files that `make install` installs on a board
	if ! { command -v systemd-analyze && command -v systemd-sysusers; } >/dev/null; then $(MAKE) systemd; fi
	if ! { command -v apt-ftparchive && command -v gpg && command -v xz && command -v dpkg-scanpackages; } >/dev/null; then \
	  $(MAKE) archive-maker; fi
	Tests/System/DeployTests/check

systemd:
	$(call apt-install,systemd)

archive-maker:
	$(call apt-install,apt-utils gnupg dpkg-dev xz-utils)

page-check: ## test the texts of the Cockpit page without a browser
	if ! command -v node >/dev/null; then $(MAKE) javascript; fi
	log=$$(mktemp); trap 'rm -f "$$log"' EXIT; node --test Tests/System/CockpitTests/page.mjs >"$$log" || { cat "$$log"; exit 1; }

javascript:
	$(call apt-install,nodejs)

cockpit-test: programs browser message-bus journal-maker ## test the Cockpit page in a browser (ONLY=part of a test's name, SCREENSHOTS=folder)
	Tests/System/CockpitTests/run $(BUILT)

browser:
	if ! { command -v chromium && command -v chromedriver && [ -x /usr/bin/cockpit-bridge ] && [ -d /usr/share/cockpit/shell ] && \
	  /usr/bin/python3 -c "import selenium"; } >/dev/null 2>&1; then $(MAKE) chromium; fi

chromium:
	$(call apt-install,cockpit-ws cockpit-bridge cockpit-system chromium chromium-driver python3-selenium)

picture: run ## update the picture in the README from a rehearsal
	cp $(REHEARSAL)/bus.svg deploy/rehearsal/bus.svg

examples: toolchain libraries ## update the pictures of the configurations in deploy/examples
	TACET_PICTURES=yes TACET_TARGETS="$$(Tests/Tools/targets ExampleTests)" swift test $(UNOPTIMISED) --filter ExampleTests

# The program prints the pages. The files are checked in, because a board that gets programs built elsewhere cannot run
# them during installation. The other pages are written by hand, except for the parts that `make vocabulary` writes.
manual: build ## write the manual pages and the completions that the program generates
	mkdir -p deploy/man deploy/completions
	$(TACET) --manual >deploy/man/tacet.1
	rm -f deploy/man/tacet-*.1
	for name in $$(sed -nE 's/.*tacet\\-([a-z]+) ?\(1\).*/\1/p' deploy/man/tacet.1 | sort -u); do \
	  $(TACET) --manual $$name >deploy/man/tacet-$$name.1; done
	for name in tacet.conf mqtt.conf; do $(TACET) --manual $$name >deploy/man/$$name.5; done
	for shell in bash zsh fish; do $(TACET) --completion $$shell >deploy/completions/tacet.$$shell; done

format-check: toolchain import-check vocabulary-check ## check the format of the source, the imports of the modules, the conventions and the generated files
	swift format lint --strict --recursive Sources Tests Package.swift

# Checks what the pages and the conventions state about the sources.
import-check: toolchain
	if ! command -v python3 >/dev/null; then $(MAKE) python; fi
	for check in arrows words rules properties; do Tests/System/DeployTests/$$check; done

python:
	$(call apt-install,python3)

# The names that other programs see are declared in Sources/Core/Vocabulary. The program that writes their tables is
# compiled with that folder alone, which takes seconds.
vocabulary: .build/vocabulary ## write the names that other programs see into manuals and the virtual board's scripts
	$< write

vocabulary-check: .build/vocabulary
	$< check

.build/vocabulary: $(wildcard Sources/Core/Vocabulary/*.swift Tests/Tools/Vocabulary/*.swift) | toolchain
	mkdir -p $(@D)
	swiftc -swift-version 6 -warnings-as-errors -o $@ $^

format: toolchain ## format the source
	swift format --in-place --recursive Sources Tests Package.swift

clean: ## remove everything that was built
	rm -rf .build

include deploy/make/*.mk

# A target that names a file or a folder has a period, a slash or a variable in its name. All others are names of work.
.PHONY: $(shell sed -nE 's/^([a-z][a-z -]*):([^=].*)?$$/\1/p' $(MAKEFILE_LIST))
