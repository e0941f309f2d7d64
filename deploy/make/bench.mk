# The measurements, and the fleet, which is also a test.

bench: toolchain libraries hour ## run all measurements, and print the results
	$(SWIFT_BUILD) --product tacet-bench
	$(BUILT)/tacet-bench .build/bench/hour.m3u
	$(MAKE) bench-state bench-sound bench-control

# This measures the disk that SCRATCH is on.
bench-state: toolchain libraries ## compare the cost of a checkpoint with that of SQLite, and measure how much music a power cut loses (SCRATCH=folder)
	if ! command -v strace >/dev/null || ! ldconfig -p | grep -q libsqlite3.so.0; then $(MAKE) counters; fi
	$(SWIFT_BUILD) --product tacet-bench-state
	mkdir -p $(SCRATCH); folder=$$(mktemp -d $(SCRATCH)/state-XXXXXX); trap 'rm -rf "$$folder"' EXIT; \
	$(BUILT)/tacet-bench-state "$$folder"
SCRATCH ?= .build/bench

counters:
	$(call apt-install,strace libsqlite3-0)

bench-sound: toolchain libraries sound-server hour ## compare the real-time engine with MPD (SOAK=minutes: does nothing but play for this time on a busy machine)
	if ! command -v mpd >/dev/null; then $(MAKE) rival; fi
	for product in tacet-bench-player tacet-bench-sound; do \
	  $(SWIFT_BUILD) --product $$product; done
	$(BUILT)/tacet-bench-sound $(BUILT)/tacet-bench-player .build/bench/hour.m3u $(SOAK)

# This target is also a test, which fails if an announcement is played late, twice, by the wrong board, or not at all.
BOARDS ?= 1000
KILLS ?= 100
fleet-test: toolchain libraries sound-server broker ## simulate a fleet that is connected to a real mosquitto: announcements, delays, floods, a broker that is killed (BOARDS=1000 KILLS=100)
	$(SWIFT_BUILD) --product tacet-bench-fleet
	$(BUILT)/tacet-bench-fleet $(BOARDS) $(KILLS)

broker:
	if ! { command -v curl && command -v mosquitto && command -v mosquitto_pub && command -v openssl; } >/dev/null; then $(MAKE) mosquitto; fi

mosquitto:
	$(call apt-install,curl mosquitto mosquitto-clients openssl)

bench-reloads: programs ## measure the memory of `tacetd` over many reloads that rebuild everything (RELOADS=40)
	Tests/Bench/reloads $(BUILT)/tacetd $(or $(RELOADS),40)

bench-control: toolchain libraries sound-server message-bus bus-clients ## compare commands from tacet and playerctl with those of MPD, and send a thousand commands per second
	if ! { command -v mpd && command -v mpc; } >/dev/null; then $(MAKE) rival; fi
	for product in tacetd tacet tacet-bench-sound; do \
	  $(SWIFT_BUILD) --product $$product; done
	$(BUILT)/tacet-bench-sound --control $(BUILT)/tacetd $(BUILT)/tacet

# The songs of the rehearsal as 16-bit FLAC files, repeated for more than an hour.
hour: .build/bench/hour.m3u

.build/bench/hour.m3u: | music
	if ! command -v sndfile-convert >/dev/null; then $(MAKE) converter; fi
	mkdir -p .build/bench
	for song in $(REHEARSAL)/music/*.ogg; do \
	  sndfile-convert -pcm16 "$$song" ".build/bench/$$(basename "$$song" .ogg).flac" >/dev/null; done
	for turn in {1..8}; do (cd .build/bench; printf '%s\n' *.flac); done >$@.new
	mv $@.new $@

converter:
	$(call apt-install,sndfile-programs)

rival:
	$(call apt-install,mpd mpc)
