# Everything that a person or a CI does with Tacet. On a Debian machine each target installs what it needs and does its
# work; if there is nothing to do, it does nothing.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory --silent
.DEFAULT_GOAL := help

SWIFT_FLAGS := -Xswiftc -warnings-as-errors
# Optimised, as on the board, so that all states can be visited in seconds.
RELEASE := -c release $(SWIFT_FLAGS)
# Swift's libraries are linked in: a board needs no Swift, and PSS would count half of what a benchmark and the program
# that it measures share. All programs are built in one folder, so that a module is compiled once.
SWIFT_LIBRARIES = $(shell swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
LINKING ?= $(if $(wildcard $(SWIFT_LIBRARIES)_static),--static-swift-stdlib)
BUILD := .build
BUILT := $(BUILD)/release
SWIFT_BUILD = swift build --quiet $(RELEASE) $(LINKING) --scratch-path $(BUILD)
TACET := $(BUILT)/tacet

# The libraries that pkg-config must find, and the Debian packages that provide them.
LIBRARIES := alsa flac jansson libcrypto libssl libevdev libgpiod libmosquitto libmpg123 sndfile soxr inih libsystemd
PACKAGES := pkg-config libasound2-dev libevdev-dev libflac-dev libgpiod-dev libinih-dev libjansson-dev libmosquitto-dev \
  libmpg123-dev libsndfile1-dev libsoxr-dev libssl-dev libsystemd-dev

# A real recording: songs by Sectoid (MIT licence).
MUSIC_PACKAGE := fretsonfire-songs-sectoid
MUSIC_FOLDER := /usr/share/games/fretsonfire/data/songs/sectoid
# An alarm's tone and a chime, from freedesktop.org's sound theme.
SOUND_PACKAGE := sound-theme-freedesktop
SOUND_FOLDER := /usr/share/sounds/freedesktop/stereo
REHEARSAL := .build/rehearsal

# Tests that only compute: they visit states, play random scenarios and cut the power of disks in memory.
EXPLORING := (VerificationTests\.|(ConditioningOracle|Crash|Damage|Heard|PowerCut|RandomScenario|RecordedFiles|Verify)Tests)
# Tests that play in real time, each on its own sound server.
LISTENING := (RealTimeEngine|Rewinding|RealTimeSound|FileDevice|Route|FrozenServer|DeviceFault|Storage|Allocation|ServerDeath|ConfigurationChange|MicrophoneRecorder|DaemonRecording)Tests
# Tests of programs at a bus and a broker.
PROGRAMMED := ^(tacetd|tacet_mqtt|MQTT|Systemd)Tests

.PHONY: help run test tests mutants test-thread proof fuzz bench bench-control bench-reloads bench-sound bench-state fleet-test build deb debian-build apt-repository image image-test install uninstall deploy-check cockpit-test board board-image board-test gpio-test service-test package-test overlays-check hardware-check format format-check vocabulary picture manual clean
.PHONY: toolchain libraries music sounds

help: ## list the targets
	grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /make \1\t/' | column -ts $$'\t'

# Somebody waits: without optimisation it compiles in half of the time, and a minute of music takes one second.
REHEARSED := .build/debug/tacet
run: toolchain libraries music sounds ## rehearse a song through a call, an alarm, announcements, a closed cover and a power cut
	mkdir -p $(REHEARSAL)
	[ -x $(REHEARSED) ] || echo "Building; this takes a minute …"
	swift build --quiet --product tacet
	$(REHEARSED) simulate deploy/rehearsal/bus.scenario --config deploy/rehearsal/bus.conf \
	  --wav $(REHEARSAL)/bus.wav --trace $(REHEARSAL)/bus.jsonl --timeline $(REHEARSAL)/bus.svg
	echo
	echo "What was heard:  $(CURDIR)/$(REHEARSAL)/bus.wav"
	echo "What happened:   $(CURDIR)/$(REHEARSAL)/bus.jsonl"
	echo "The picture:     $(CURDIR)/$(REHEARSAL)/bus.svg"
	echo "The scenario:    $(CURDIR)/deploy/rehearsal/bus.scenario (change it, and run it again)"

# Tests are built with other flags than programs, so they have their own folder; otherwise each build would undo the
# other. Tests/XCTMain.swift says why there is no index.
SWIFT_TESTING := --disable-xctest --enable-swift-testing --disable-index-store
TESTS := $(RELEASE) $(SWIFT_TESTING) --scratch-path .build/tests
# One change, tried soon: without optimisation, only what has changed, and no tests of other modules.
QUICK := $(SWIFT_FLAGS) $(SWIFT_TESTING) --scratch-path .build/quick

# The tests that listen wait most of the time: what only computes runs beside them, when a processor is idle.
test: toolchain libraries sound-server message-bus broker journal-maker $(if $(ONLY),,test-files tests) ## all tests that need no virtual machine (ONLY=part of a test's name: only these, compiled without optimisation)
	$(if $(ONLY),TACET_TESTS="$$(Tests/Tools/targets '$(ONLY)')" swift test $(QUICK) --filter '$(ONLY)',\
	  $(MAKE) --jobs=2 --old-file=tests test-listening test-aside && $(MAKE) --old-file=tests test-quietly)

# `swift test` would wait for another one in the same folder. A failed test is repeated with TRIES=2, and named.
RUN_TESTS := NO_COLOR=1 Tests/Tools/again $(CURDIR)/.build/tests/release/tacetPackageTests.xctest --testing-library swift-testing

.PHONY: test-files test-explorations test-quietly test-listening test-aside test-of-programs test-of-modules
# What needs no compiler.
test-files: import-check vocabulary-check deploy-check page-check

test-aside: tests
	chrt --idle 0 $(MAKE) --old-file=tests test-explorations

test-explorations: tests
	$(RUN_TESTS) --filter '$(EXPLORING)'

# They wait for programs, and each process runs as many as there are processors.
test-quietly: tests
	$(MAKE) --jobs=2 --old-file=tests test-of-programs test-of-modules

test-of-programs: tests
	$(RUN_TESTS) --filter '$(PROGRAMMED)' --skip '$(LISTENING)'

test-of-modules: tests
	$(RUN_TESTS) --skip '$(PROGRAMMED)' --skip '$(EXPLORING)' --skip '$(LISTENING)'

# One at a time, because they play in real time.
test-listening: tests
	$(RUN_TESTS) --no-parallel --filter '$(LISTENING)'

# In a folder of its own, so that the mistakes never come near the source.
mutants: toolchain libraries sound-server message-bus broker ## check that small mistakes in the source are caught, and print by which test (ONLY=parts of names)
	Tests/Mutants/run $(ONLY)

# Only `swift test` compiles the modules so that tests see their insides.
tests: toolchain libraries ## compile the tests, and all programs, as `make test` does
	mkdir -p .build/tests
	swift test list $(TESTS) >.build/tests/list || { cat .build/tests/list; exit 1; }

# A debug build in its own folder. The suppressions file gives the reason for each suppression.
test-thread: toolchain libraries sound-server ## the engine's tests under ThreadSanitizer
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/Tools/ThreadSanitizer.suppressions" \
	  swift test --sanitize=thread $(SWIFT_TESTING) --scratch-path .build/thread --no-parallel --filter '$(LISTENING)'

# `make test` does the same with every 25th checkpoint and fixed seeds.
proof: toolchain libraries sound-server ## damage every write of the saved state in every way, cut the power 10,000 times while a state is saved and as often while a file is recorded, interrupt a recording 200 times and a card's long queue 1,000 times, play 10,000 random scenarios, and listen to as many (TACET_SEED= replays a run)
	TACET_PROOF=1 swift test $(TESTS) --filter '(Damage|StateFile|Crash|RandomScenario|Heard|PowerCut)Tests'
	TACET_PROOF=1 swift test $(TESTS) --no-parallel --filter '(MicrophoneRecorderTests|RewindingTests.pausesAndResumesAreExact)'

# The toolchain from swift.org has libFuzzer; Debian's does not.
FUZZ := .build/fuzz
FUZZ_SECONDS ?= 600
fuzz: toolchain ## fuzz the readers of saved states, playlists, tags, audio files, configurations and the messages of a broker and a bus (FUZZ_SECONDS=600 each)
	mkdir -p $(FUZZ)/state $(FUZZ)/playlist $(FUZZ)/tags $(FUZZ)/audio $(FUZZ)/configuration $(FUZZ)/payload $(FUZZ)/bus
	for path in Core/Time Board/Files Core/Spelling Core/Vocabulary Core/AudioSession Core/Signals Board/Clocks Sound/ALSA \
	    Board/Evdev Board/GPIO; do module=$${path#*/}; \
	  swiftc -O -wmo -parse-as-library -package-name tacet -module-name $$module -emit-module \
	    -I $(FUZZ) $(FUZZED_DEVICES) -emit-module-path $(FUZZ)/$$module.swiftmodule -emit-object -o $(FUZZ)/$$module.o $$(find Sources/$$path -name "*.swift"); done
	$(call fuzzer,StateReader,state) $$(find Sources/Store/ResumeStore -name "*.swift") $(FUZZ)/Files.o $(FUZZ)/Time.o
	$(call fuzzer,PlaylistReader,playlist) $(FUZZED_SOUND)
	$(call fuzzer,TagReader,tags) $(FUZZED_SOUND) $$(find Sources/Sound/Playback/Pictures -name "*.swift") \
	  Sources/Sound/Playback/Decoding/Ogg/OggPage.swift
	$(call fuzzer,AudioReader,audio) $(FUZZED_SOUND) Sources/Sound/Playback/Pictures/ByteSource.swift \
	  Sources/Sound/Playback/Decoding/{DecoderError,FileHead,FileInput}.swift Sources/Sound/Playback/Decoding/Sndfile/{Chunk,SampleOutline,WAVOutline}.swift \
	  Sources/Sound/Playback/Decoding/MPEG/{ID3Texts,MPEGGaps,MPEGHeader,MPEGInfo}.swift Sources/Sound/Playback/Decoding/Ogg/Ogg{Holes,Page,Scan}.swift
	$(call fuzzer,ConfigurationReader,configuration) -I Sources/Daemon/Cinih $(FUZZED_DEVICES) \
	  $$(find Sources/Daemon/Configuration -name "*.swift") \
	  $(FUZZ)/{Time,Files,Spelling,Vocabulary,AudioSession,Signals,Clocks,ALSA,Evdev,GPIO}.o -linih -lasound -levdev -lgpiod
	$(call fuzzer,PayloadReader,payload) -I Sources/Clients/CJansson -I Sources/Clients/CCrypto $$(find Sources/Clients/Fleet/Payloads -name "*.swift") Sources/Clients/Fleet/Ruter/AudioURL.swift \
	  $(FUZZ)/Time.o $(FUZZ)/Spelling.o $(FUZZ)/Vocabulary.o $(FUZZ)/AudioSession.o -ljansson -lcrypto
	$(call fuzzer,BusMessageReader,bus) -I Sources/Board/CSystemd \
	  Sources/Board/Systemd/Bus/{BusMessage,BusReader,BusValue}.swift Sources/Board/Systemd/Services/SystemdError.swift $(FUZZ)/Files.o -lsystemd
	for file in deploy/tacet.conf deploy/rehearsal/bus.conf; do \
	  { printf '\0'; cat $$file; } >$(FUZZ)/configuration/$${file##*/}; done
	for name in $(or $(ONLY),state playlist tags audio configuration payload bus); do \
	  if [ -d Tests/Tools/Fuzz/corpus/$$name ]; then cp -n Tests/Tools/Fuzz/corpus/$$name/* $(FUZZ)/$$name; fi; \
	  (cd $(FUZZ); ASAN_OPTIONS=detect_leaks=0 ./$$name-reader -max_total_time=$(FUZZ_SECONDS) -max_len=32769 \
	    -print_final_stats=1 $$name) || exit 1; \
	done

# The headers of the libraries behind the kinds of sources of levels.
FUZZED_DEVICES = -I Sources/Sound/CALSA -I Sources/Board/CEvdev -I Sources/Board/CGPIOD -Xcc -I/usr/include/libevdev-1.0

# What is fuzzed of `Playback`, without what needs decoders.
FUZZED_SOUND := Sources/Sound/Playback/TooManyOpenFiles.swift Sources/Sound/Playback/Decoding/{ForeignFormat,TrackTags}.swift \
  Sources/Sound/Playback/Library/{FileKind,LibraryError,LibraryLimits,PathLookup,Playlist,PlaylistEntry,PlaylistText,Track,UnplayableFiles}.swift \
  Tests/Tools/Fuzz/Stubs/FileContent.swift $(FUZZ)/Files.o $(FUZZ)/Spelling.o
# Builds a fuzzer: (module in Tests/Tools/Fuzz, name of the program); the call adds the other sources.
fuzzer = swiftc -O -wmo -parse-as-library -package-name tacet -module-name $(1) -sanitize=fuzzer,address -use-ld=lld \
  -I $(FUZZ) Tests/Tools/Fuzz/$(1).swift -o $(FUZZ)/$(2)-reader

bench: toolchain libraries hour ## measure, and print the results
	$(SWIFT_BUILD) --product tacet-bench
	$(BUILT)/tacet-bench .build/bench/hour.m3u
	$(MAKE) bench-state bench-sound bench-control

# Measures the disk that SCRATCH is on.
bench-state: toolchain libraries ## measure what a checkpoint costs compared with SQLite, and what a power cut does (SCRATCH=folder)
	if ! command -v strace >/dev/null || ! ldconfig -p | grep -q libsqlite3.so.0; then $(MAKE) counters; fi
	$(SWIFT_BUILD) --product tacet-bench-state
	mkdir -p $(SCRATCH); folder=$$(mktemp -d $(SCRATCH)/state-XXXXXX); trap 'rm -rf "$$folder"' EXIT; \
	$(BUILT)/tacet-bench-state "$$folder"
SCRATCH ?= .build/bench

.PHONY: counters
counters:
	$(call apt-install,strace libsqlite3-0)

bench-sound: toolchain libraries sound-server hour ## compare the real-time engine with MPD (SOAK=minutes: only play, this long, on a busy machine)
	if ! command -v mpd >/dev/null; then $(MAKE) rival; fi
	for product in tacet-bench-player tacet-bench-sound; do \
	  $(SWIFT_BUILD) --product $$product; done
	$(BUILT)/tacet-bench-sound $(BUILT)/tacet-bench-player .build/bench/hour.m3u $(SOAK)

# A test as well as a measurement: it fails if an announcement is heard late, twice, by the wrong board, or not at all.
BOARDS ?= 1000
KILLS ?= 100
fleet-test: toolchain libraries sound-server broker ## simulate a fleet at a real mosquitto: announcements, delays, floods, a broker that dies (BOARDS=1000 KILLS=100)
	$(SWIFT_BUILD) --product tacet-bench-fleet
	$(BUILT)/tacet-bench-fleet $(BOARDS) $(KILLS)

.PHONY: broker mosquitto
broker:
	if ! { command -v curl && command -v mosquitto && command -v mosquitto_pub && command -v openssl; } >/dev/null; then $(MAKE) mosquitto; fi

mosquitto:
	$(call apt-install,curl mosquitto mosquitto-clients openssl)

bench-reloads: programs ## measure the memory of `tacetd` over reloads that rebuild everything (RELOADS=40)
	Tests/Bench/reloads $(BUILT)/tacetd $(or $(RELOADS),40)

bench-control: toolchain libraries sound-server message-bus ## compare commands through tacet and playerctl with MPD's, and send a thousand a second
	if ! { command -v mpd && command -v mpc; } >/dev/null; then $(MAKE) rival; fi
	for product in tacetd tacet tacet-bench-sound; do \
	  $(SWIFT_BUILD) --product $$product; done
	$(BUILT)/tacet-bench-sound --control $(BUILT)/tacetd $(BUILT)/tacet

build: toolchain libraries ## build the programs
	[ -x $(TACET) ] || echo "Building; this takes a minute or two …"
	$(SWIFT_BUILD) --product tacet

# What a board gets.
PREFIX ?= /usr
DESTDIR ?=
# A folder with programs that were built elsewhere, for another board: nothing is built then.
TACET_BIN ?=
STRIP ?= strip
PROGRAMS := tacet tacetd tacet-mqtt

# As pkg-config knows them, or as usual, wherever PREFIX is. (Debian 12 says /lib, which is a link to /usr/lib.)
folder-of = $(or $(patsubst /lib/%,/usr/lib/%,$(shell pkg-config --variable=$(2) $(1) 2>/dev/null)),$(3))
UNIT_FOLDER = $(call folder-of,systemd,systemdsystemunitdir,/usr/lib/systemd/system)
SYSUSERS_FOLDER = $(call folder-of,systemd,sysusersdir,/usr/lib/sysusers.d)
TMPFILES_FOLDER = $(call folder-of,systemd,tmpfilesdir,/usr/lib/tmpfiles.d)
CATALOG_FOLDER = $(call folder-of,systemd,catalogdir,/usr/lib/systemd/catalog)
RULES_FOLDER = $(call folder-of,udev,udevdir,/usr/lib/udev)/rules.d

# A part of `make install` and `make uninstall` that needs the right to write there.
define privileged
	if [ -n "$(DESTDIR)" ] || [ "$$(id -u)" = 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; else \
	  echo "Please run as root: make $@" >&2; exit 1; fi; \
	$$as_root $(MAKE) $(1) PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" STRIP="$(STRIP)" TACET_BIN="$(TACET_BIN)"
endef

install: overlay-compiler $(if $(TACET_BIN),,programs) ## install on this board (or below DESTDIR=; PREFIX=/usr; TACET_BIN=folder of built programs)
	$(call privileged,place place-fleet place-page)
	if [ -z "$(DESTDIR)" ]; then $(call privileged,announce); fi

uninstall: ## remove what `make install` has installed; the state and /etc/tacet stay
	if [ -z "$(DESTDIR)" ] && [ -d /run/systemd/system ]; then $(call privileged,halt); fi
	$(call privileged,displace)

.PHONY: programs overlay-compiler device-tree-compiler place place-fleet place-page announce halt displace
overlay-compiler:
	if ! command -v dtc >/dev/null; then $(MAKE) device-tree-compiler; fi

device-tree-compiler:
	$(call apt-install,device-tree-compiler)

programs: toolchain libraries
	echo "Building, for some minutes …"
	for program in $(PROGRAMS); do $(SWIFT_BUILD) --product $$program; done

# Where each file goes. Paths in them that begin with /usr follow PREFIX.
INSTALLING = $(or $(TACET_BIN),$(BUILT))
LIB = $(PREFIX)/lib/tacet
DOC = $(PREFIX)/share/doc/tacet
# The bus reads policies of the system's and of /usr/local's share.
POLICY = $(PREFIX)/share/dbus-1/system.d/org.mpris.MediaPlayer2.tacet.conf
FLEET_POLICY = $(PREFIX)/share/dbus-1/system.d/tacet-mqtt.conf
MAN = $(PREFIX)/share/man
BASH_COMPLETION = $(PREFIX)/share/bash-completion/completions/tacet
ZSH_COMPLETION = $(PREFIX)/share/zsh/vendor-completions/_tacet
FISH_COMPLETION = $(PREFIX)/share/fish/vendor_completions.d/tacet.fish
# The sub-commands, each with a page.
MANUALS := status why health monitor play pause toggle stop next previous seek volume announce hush sounds record assert deassert \
  check lines inputs simulate state verify log timeline
# Units and drop-ins to copy and change.
EXAMPLES := $(notdir $(wildcard deploy/examples/*))
# Names for a board's lines, compiled.
OVERLAYS := $(basename $(notdir $(wildcard hardware/overlays/*.dtso)))
OVERLAY_FOLDER = $(PREFIX)/share/tacet/overlays
# A page for Cockpit, which looks in /usr/local, too. It is a package of its own, and does nothing without Cockpit.
PAGE := $(notdir $(wildcard deploy/cockpit/*))
PAGE_FOLDER = $(PREFIX)/share/cockpit/tacet
INSTALLED = $(POLICY) $(PREFIX)/bin/tacet $(LIB)/tacetd $(LIB)/tacet.conf $(DOC)/README.md $(UNIT_FOLDER)/tacet.service \
  $(SYSUSERS_FOLDER)/tacet.conf $(TMPFILES_FOLDER)/tacet.conf $(RULES_FOLDER)/60-tacet.rules $(CATALOG_FOLDER)/tacet.catalog \
  $(DOC)/deploy/README.md $(DOC)/overlays/README.md $(DOC)/examples/draft $(OVERLAYS:%=$(OVERLAY_FOLDER)/%.dtbo) \
  $(MAN)/man1/tacet.1 $(MANUALS:%=$(MAN)/man1/tacet-%.1) $(MAN)/man5/tacet.conf.5 $(MAN)/man8/tacetd.8 \
  $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) \
  $(EXAMPLES:%=$(DOC)/examples/%) $(PAGE:%=$(PAGE_FOLDER)/%)
# The connection to a fleet: a package of its own.
FLEET_DOC = $(PREFIX)/share/doc/tacet-mqtt
FLEET_INSTALLED = $(FLEET_POLICY) $(LIB)/tacet-mqtt $(LIB)/mqtt.conf $(UNIT_FOLDER)/tacet-mqtt.service $(SYSUSERS_FOLDER)/tacet-mqtt.conf \
  $(CATALOG_FOLDER)/tacet-mqtt.catalog $(MAN)/man8/tacet-mqtt.8 $(FLEET_DOC)/examples/mosquitto.acl \
  $(FLEET_DOC)/examples/mosquitto.conf

# Shell functions: (permissions, file, place), and the same for a file that names places below PREFIX.
define placing
	put() { install -D -m "$$1" "$$2" "$(DESTDIR)$$3"; }; \
	moved() { put 644 "$$1" "$$2"; \
	  sed -E -i 's,/usr(/lib/tacet/|/bin/tacet |/share/doc/tacet(-mqtt)?/),$(PREFIX)\1,g' "$(DESTDIR)$$2"; }; \
	program() { put 755 "$(INSTALLING)/$$1" "$$2"; \
	  if command -v $(STRIP) >/dev/null; then $(STRIP) "$(DESTDIR)$$2" 2>/dev/null || true; fi; }
endef

place-fleet:
	[ -x "$(INSTALLING)/tacet-mqtt" ] || { echo "There is no program $(INSTALLING)/tacet-mqtt." >&2; exit 1; }
	$(placing); \
	program tacet-mqtt $(LIB)/tacet-mqtt; \
	put 644 deploy/mqtt.conf $(LIB)/mqtt.conf; \
	put 644 deploy/man/tacet-mqtt.8 $(MAN)/man8/tacet-mqtt.8; \
	put 644 deploy/sysusers.d/tacet-mqtt.conf $(SYSUSERS_FOLDER)/tacet-mqtt.conf; \
	put 644 deploy/dbus-1/tacet-mqtt.conf $(FLEET_POLICY); \
	for file in deploy/fleet/*; do put 644 $$file $(FLEET_DOC)/examples/$${file##*/}; done; \
	moved deploy/tacet-mqtt.service $(UNIT_FOLDER)/tacet-mqtt.service; \
	moved deploy/tacet-mqtt.catalog $(CATALOG_FOLDER)/tacet-mqtt.catalog

place:
	for program in tacet tacetd; do [ -x "$(INSTALLING)/$$program" ] || { \
	  echo "There is no program $(INSTALLING)/$$program." >&2; exit 1; }; done
	$(placing); \
	program tacet $(PREFIX)/bin/tacet; program tacetd $(LIB)/tacetd; \
	put 644 deploy/tacet.conf $(LIB)/tacet.conf; \
	put 644 README.md $(DOC)/README.md; \
	put 644 deploy/README.md $(DOC)/deploy/README.md; \
	put 644 hardware/overlays/README.md $(DOC)/overlays/README.md; \
	put 755 hardware/overlays/draft $(DOC)/examples/draft; \
	put 644 deploy/dbus-1/org.mpris.MediaPlayer2.tacet.conf $(POLICY); \
	for page in tacet $(MANUALS:%=tacet-%); do put 644 deploy/man/$$page.1 $(MAN)/man1/$$page.1; done; \
	put 644 deploy/man/tacet.conf.5 $(MAN)/man5/tacet.conf.5; \
	moved deploy/man/tacetd.8 $(MAN)/man8/tacetd.8; \
	put 644 deploy/completions/tacet.bash $(BASH_COMPLETION); \
	put 644 deploy/completions/tacet.zsh $(ZSH_COMPLETION); \
	put 644 deploy/completions/tacet.fish $(FISH_COMPLETION); \
	put 644 deploy/sysusers.d/tacet.conf $(SYSUSERS_FOLDER)/tacet.conf; \
	put 644 deploy/tmpfiles.d/tacet.conf $(TMPFILES_FOLDER)/tacet.conf; \
	put 644 deploy/udev/60-tacet.rules $(RULES_FOLDER)/60-tacet.rules; \
	for example in $(EXAMPLES); do moved deploy/examples/$$example $(DOC)/examples/$$example; done; \
	moved deploy/tacet.service $(UNIT_FOLDER)/tacet.service; \
	moved deploy/tacet.catalog $(CATALOG_FOLDER)/tacet.catalog
	install -d "$(DESTDIR)/etc/tacet/tacet.conf.d" "$(DESTDIR)$(OVERLAY_FOLDER)"
	for name in $(OVERLAYS); do \
	  dtc -@ -I dts -O dtb -o "$(DESTDIR)$(OVERLAY_FOLDER)/$$name.dtbo" hardware/overlays/$$name.dtso; \
	  chmod 644 "$(DESTDIR)$(OVERLAY_FOLDER)/$$name.dtbo"; done

place-page:
	for file in $(PAGE); do install -D -m 644 "deploy/cockpit/$$file" "$(DESTDIR)$(PAGE_FOLDER)/$$file"; done

# Makes the running system know of it, as far as there is one: the group comes before the rule that gives it chips.
announce:
	if command -v systemd-sysusers >/dev/null; then \
	  systemd-sysusers $(SYSUSERS_FOLDER)/tacet.conf $(SYSUSERS_FOLDER)/tacet-mqtt.conf; fi
	if command -v systemd-tmpfiles >/dev/null; then systemd-tmpfiles --create $(TMPFILES_FOLDER)/tacet.conf; fi
	if command -v journalctl >/dev/null; then journalctl --update-catalog; fi
	if [ -S /run/udev/control ]; then udevadm control --reload; udevadm trigger --subsystem-match=gpio; fi
	if [ -S /run/dbus/system_bus_socket ]; then busctl call org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig || true; fi
	if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	echo "Installed. Next:"
	echo "  tacet lines                     which GPIO lines there are"
	echo "  /etc/tacet/tacet.conf.d/*.conf  what is wired to which, and Library=; see tacet.conf(5)"
	echo "  tacet check                     whether that is right"
	echo "  systemctl enable --now tacet    from now on, at every boot (after an update: systemctl restart tacet)"

halt:
	systemctl disable --now tacet-mqtt.service tacet.service 2>/dev/null || true

displace:
	for file in $(INSTALLED) $(FLEET_INSTALLED); do rm -f "$(DESTDIR)$$file"; done
	rm -rf "$(DESTDIR)/var/cache/tacet-mqtt"
	for folder in $(LIB) $(PAGE_FOLDER) $(OVERLAY_FOLDER) $(dir $(OVERLAY_FOLDER)) $(DOC)/examples $(DOC)/deploy $(DOC)/overlays $(DOC) $(FLEET_DOC)/examples $(FLEET_DOC) /etc/tacet/tacet.conf.d /etc/tacet; do \
	  rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$folder" 2>/dev/null || true; done
	if [ -z "$(DESTDIR)" ]; then \
	  if command -v journalctl >/dev/null; then journalctl --update-catalog; fi; \
	  if [ -S /run/udev/control ]; then udevadm control --reload; fi; \
	  if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi; \
	  echo "Removed. /etc/tacet, /var/lib/tacet, /var/lib/tacet-mqtt, /srv/music and the users tacet and tacet-mqtt are yours to remove."; fi

deploy-check: overlay-compiler message-bus ## check the unit, the catalog and the other files that `make install` puts on a board
	if ! { command -v systemd-analyze && command -v systemd-sysusers; } >/dev/null; then $(MAKE) systemd; fi
	if ! { command -v apt-ftparchive && command -v gpg && command -v xz && command -v dpkg-scanpackages; } >/dev/null; then \
	  $(MAKE) archive-maker; fi
	Tests/System/DeployTests/check

.PHONY: systemd archive-maker
systemd:
	$(call apt-install,systemd)

archive-maker:
	$(call apt-install,apt-utils gnupg dpkg-dev xz-utils)

.PHONY: page-check javascript
page-check: ## test what the page for Cockpit writes, without a browser
	if ! command -v node >/dev/null; then $(MAKE) javascript; fi
	log=$$(mktemp); trap 'rm -f "$$log"' EXIT; node --test Tests/System/CockpitTests/page.mjs >"$$log" || { cat "$$log"; exit 1; }

javascript:
	$(call apt-install,nodejs)

cockpit-test: programs browser message-bus journal-maker ## test the page for Cockpit, in a browser (ONLY=part of a test's name, SCREENSHOTS=folder)
	Tests/System/CockpitTests/run $(BUILT)

.PHONY: browser chromium
browser:
	if ! { command -v chromium && command -v chromedriver && [ -x /usr/bin/cockpit-bridge ] && [ -d /usr/share/cockpit/shell ] && \
	  /usr/bin/python3 -c "import selenium"; } >/dev/null 2>&1; then $(MAKE) chromium; fi

chromium:
	$(call apt-install,cockpit-ws cockpit-bridge cockpit-system chromium chromium-driver python3-selenium)

# Packages: Debian's tools make them in a Debian root, which only root can set up.
DEBIAN ?= 13
SUITE = $(if $(filter 12,$(DEBIAN)),bookworm,trixie)
PACKAGES_FOLDER := .build/deb
REPOSITORY ?= .build/apt-repository
DEPLOY_BUILD := deploy/build

deb: $(if $(filter 12,$(DEBIAN)),toolchain) ## build the Debian package (ARCH=amd64|arm64, DEBIAN=13|12, FRESH=1: compile everything again)
	for part in "host.sh $(ARCH)" "toolchain.sh $(ARCH) $(SUITE)" "package.sh $(ARCH) $(SUITE)"; do \
	  $(AS_ROOT) $(DEPLOY_BUILD)/$$part; done
	mkdir -p $(PACKAGES_FOLDER)
	cp $(or $(TACET_BOARD),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tacet-board)/package-$(ARCH)-$(SUITE)/*.deb $(PACKAGES_FOLDER)/
	ls -l $(PACKAGES_FOLDER)/*_{$(ARCH),all}.deb

debian-build: ## compile everything, the tests, too, with Debian 13's Swift, without optimisation
	for part in "host.sh amd64" "toolchain.sh amd64" debug.sh; do $(AS_ROOT) $(DEPLOY_BUILD)/$$part; done

apt-repository: ## make a folder for a web server from all packages built so far, signed with your key (KEY=, URI=, REPOSITORY=folder)
	KEY="$(KEY)" URI="$(URI)" $(DEPLOY_BUILD)/repository.sh $(REPOSITORY) $(PACKAGES_FOLDER)/*.deb

# Root makes the image, because its files belong to root.
BOARD ?= raspberry-pi
IMAGES := .build/image
image: ## make an image to flash, and the same as an update (BOARD=raspberry-pi; CERTIFICATE= and PRIVATE_KEY=: with which updates are signed)
	if ! [ -x deploy/image/$(BOARD).sh ]; then echo "There are images for BOARD=raspberry-pi (3 and 4), not for ‘$(BOARD)’." >&2; exit 2; fi
	$(MAKE) deb ARCH=arm64
	$(AS_ROOT) deploy/image/root.sh
	$(AS_ROOT) deploy/image/$(BOARD).sh $(IMAGES)

image-test: image ## start the image on emulated boards: power cuts, an update by apt, updates that roll back (ONLY=names of checks)
	$(AS_ROOT) Tests/System/$(BOARD)/check.py $(IMAGES)/tacet-$(BOARD).img $(IMAGES)/tacet-$(BOARD).raucb $(ONLY)

# The virtual board: arm64 or amd64. Root builds and tests it, because making its disk needs root.
ARCH ?= arm64
ONLY ?=
VIRTUAL_BOARD := Tests/System/virtual-board
# A variable of its own, because a comma would end a function's argument.
KEPT := HOME,XDG_CACHE_HOME,TACET_BOARD,TACET_BOARD_ACCEL,TACET_SEED,FRESH,SOAK,SKIP,TRIES,TURN,CERTIFICATE,PRIVATE_KEY
AS_ROOT = $(if $(filter-out 0,$(shell id -u)),sudo --preserve-env=$(KEPT))

board: board-image ## boot the virtual board, with a prompt (ARCH=arm64 or amd64)
	$(AS_ROOT) $(VIRTUAL_BOARD)/board.py run $(ARCH)

board-test: board-image ## test Tacet on the virtual board: wires, sound, hangs, power cuts (ARCH=, ONLY=part of a check's name, SKIP=parts of names, TRIES=for a failing check, TURN=number: a core and a quarter of the others, SOAK=1: 100 power cuts)
	$(AS_ROOT) $(VIRTUAL_BOARD)/board.py test $(ARCH) $(ONLY)

service-test: programs ## test Tacet as a service of systemd, in a container: unit, watchdog, journal (ONLY=part of a check's name)
	$(AS_ROOT) $(VIRTUAL_BOARD)/build/service.sh $(abspath $(BUILT))
	$(AS_ROOT) $(VIRTUAL_BOARD)/board.py service $(ONLY)

package-test: ## install, upgrade, downgrade, remove and purge the package in a clean Debian 13, in a container (ONLY=part of a check's name)
	$(MAKE) deb ARCH=amd64
	$(AS_ROOT) $(VIRTUAL_BOARD)/build/package.sh
	$(AS_ROOT) $(VIRTUAL_BOARD)/board.py package $(ONLY)

gpio-test: ## on the virtual board, test only the programs that read wires, with libgpiod 1.6 and 2 (ARCH=)
	$(MAKE) board-test ONLY=libgpiod

# Without QUICK=1, root sets up a Debian with KiCad.
hardware-check: ## simulate the circuits in hardware/schematic, and check the overlays (QUICK=1: only the committed netlist, on fewer boards)
	if ! { command -v python3 && command -v ngspice; } >/dev/null; then $(MAKE) simulator; fi
	$(if $(QUICK),,if ! command -v gnuplot >/dev/null; then $(MAKE) plotter; fi)
	$(if $(QUICK),,$(AS_ROOT)) hardware/check.py $(if $(QUICK),quick,full)
	$(MAKE) overlays-check

.PHONY: simulator plotter
plotter:
	$(call apt-install,gnuplot-nox)

simulator:
	$(call apt-install,python3 ngspice)

board-image: ## build the virtual board's disk and everything that it needs (ARCH=)
	$(AS_ROOT) $(VIRTUAL_BOARD)/build/all.sh $(ARCH)

overlays-check: ## check the device-tree overlays against Debian's device trees (BOOT=1: boot one, too)
	$(AS_ROOT) hardware/overlays/check $(if $(BOOT),--boot)

picture: run ## update the README's picture from a rehearsal
	cp $(REHEARSAL)/bus.svg deploy/rehearsal/bus.svg

# The program prints the pages, and the files are kept, because a board that gets programs built elsewhere cannot run
# them here. tacetd.8 is written by hand, but for what `make vocabulary` writes.
manual: build ## write the manual pages and the shells' completions that the program has
	mkdir -p deploy/man deploy/completions
	$(TACET) --manual >deploy/man/tacet.1
	for name in $(MANUALS); do $(TACET) --manual $$name >deploy/man/tacet-$$name.1; done
	$(TACET) --manual tacet.conf >deploy/man/tacet.conf.5
	for shell in bash zsh fish; do $(TACET) --completion $$shell >deploy/completions/tacet.$$shell; done

format-check: toolchain import-check vocabulary-check ## check the format of the source, which module imports which, and what is generated
	swift format lint --strict --recursive Sources Tests Package.swift

# Compares Package.swift, the sources and CONTRIBUTING.md.
.PHONY: import-check python
import-check: toolchain
	if ! command -v python3 >/dev/null; then $(MAKE) python; fi
	Tests/System/DeployTests/arrows

python:
	$(call apt-install,python3)

# Names that leave the process are declared in Sources/Core/Vocabulary. The program that writes their tables is compiled
# with that folder alone, which takes seconds.
.PHONY: vocabulary vocabulary-check
vocabulary: .build/vocabulary ## write the names that leave the process into manuals, Cockpit's page and the virtual board's scripts
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

# Installs Debian packages, as root or with sudo; if neither is possible, says what to do. Waits for another installation.
define apt-install
	echo "Installing $(1) …"
	if [ "$$(id -u)" = 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; else \
	  echo "Please install as root: apt-get install $(1)" >&2; exit 1; fi; \
	log=$$(mktemp); trap 'rm -f "$$log"' EXIT; \
	install() { $$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $(1); }; \
	{ install || { $$as_root apt-get update && install; }; } >"$$log" 2>&1 </dev/null || { \
	  tail -n 5 "$$log" >&2; \
	  echo "Cannot install $(1): is there a network, and is the Debian archive (main) in /etc/apt?" >&2; exit 1; }
endef

toolchain:
	if ! command -v swift >/dev/null; then \
	  if apt-cache show swiftlang >/dev/null 2>&1 || grep -qs 'trixie' /etc/os-release; then $(MAKE) swiftlang; else \
	    echo "Tacet needs Swift 6: see https://www.swift.org/install/linux (Debian 13 has it: apt install swiftlang)." >&2; \
	    exit 1; fi; fi

.PHONY: swiftlang
swiftlang:
	$(call apt-install,swiftlang g++)

libraries:
	if ! pkg-config --exists $(LIBRARIES) 2>/dev/null; then $(MAKE) packages; fi

.PHONY: packages
packages:
	$(call apt-install,$(PACKAGES))

# All recordings are called song.ogg, so they are linked under the names of their folders.
music: $(REHEARSAL)/music
sounds: $(REHEARSAL)/sounds

$(REHEARSAL)/sounds:
	if ! [ -d $(SOUND_FOLDER) ]; then $(MAKE) sound-theme; fi
	mkdir -p $(REHEARSAL)
	ln -sfn $(SOUND_FOLDER) $@

$(REHEARSAL)/music:
	if ! [ -d $(MUSIC_FOLDER) ]; then $(MAKE) recording; fi
	mkdir -p $@.new
	for song in $(MUSIC_FOLDER)/*/; do ln -sfn "$${song}song.ogg" "$@.new/$$(basename "$$song").ogg"; done
	mv $@.new $@

# The same songs as 16-bit FLAC, repeated for more than an hour.
.PHONY: hour
hour: .build/bench/hour.m3u

.build/bench/hour.m3u: | music
	if ! command -v sndfile-convert >/dev/null; then $(MAKE) converter; fi
	mkdir -p .build/bench
	for song in $(REHEARSAL)/music/*.ogg; do \
	  sndfile-convert -pcm16 "$$song" ".build/bench/$$(basename "$$song" .ogg).flac" >/dev/null; done
	for turn in {1..8}; do (cd .build/bench; printf '%s\n' *.flac); done >$@.new
	mv $@.new $@

.PHONY: converter
converter:
	$(call apt-install,sndfile-programs)

.PHONY: rival
rival:
	$(call apt-install,mpd mpc)

# A sound server to play on without a sound card, and the plug-in through which ALSA uses it.
PULSE_PLUGIN = $(shell pkg-config --variable=libdir alsa)/alsa-lib/libasound_module_pcm_pulse.so
.PHONY: sound-server server message-bus bus
sound-server: libraries
	if ! { command -v pulseaudio && command -v parec && [ -e $(PULSE_PLUGIN) ]; } >/dev/null; then $(MAKE) server; fi

# A bus for the tests, and clients by other authors.
message-bus:
	if ! { command -v dbus-daemon && command -v busctl && command -v gdbus && command -v playerctl && \
	  /usr/bin/python3 -c "import dbusmock"; } >/dev/null 2>&1; then $(MAKE) bus; fi

bus:
	$(call apt-install,dbus-daemon systemd playerctl libglib2.0-bin python3-dbusmock)

# Turns an export into a journal file, for the tests of what reads one.
.PHONY: journal-maker remote
journal-maker:
	if ! [ -x /lib/systemd/systemd-journal-remote ]; then $(MAKE) remote; fi

remote:
	$(call apt-install,systemd-journal-remote)

server:
	$(call apt-install,pulseaudio pulseaudio-utils libasound2-plugins)

.PHONY: recording
recording:
	$(call apt-install,$(MUSIC_PACKAGE))

.PHONY: sound-theme
sound-theme:
	$(call apt-install,$(SOUND_PACKAGE))
