# The fuzzers. Each fuzzer is compiled from the files that it fuzzes.

# The toolchain from swift.org includes libFuzzer, but Debian's does not.
FUZZ := .build/fuzz
FUZZ_SECONDS ?= 600
# Each fuzzer has a corpus.
FUZZERS := $(notdir $(wildcard Tests/Tools/Fuzz/corpus/*))
fuzz: toolchain ## fuzz the readers of saved states, playlists, tags, audio files, formats, configurations, messages from a broker, a bus, a Music Player Daemon and radio stations, paused players, and device trees (FUZZ_SECONDS=600 for each, ONLY=names of readers)
	mkdir -p $(FUZZERS:%=$(FUZZ)/%)
	for path in Core/Time Store/Files Core/Spelling Core/Vocabulary Core/AudioSession Core/Signals Board/Clocks Sound/ALSA \
	    Board/Threads Board/Evdev Board/GPIO; do module=$${path#*/}; \
	  swiftc -O -wmo -parse-as-library -package-name tacet -module-name $$module -emit-module \
	    -I $(FUZZ) $(FUZZED_DEVICES) -emit-module-path $(FUZZ)/$$module.swiftmodule -emit-object -o $(FUZZ)/$$module.o $$(find Sources/$$path -name "*.swift"); done
	$(call fuzzer,StateReader,state) $$(find Sources/Store/ResumeStore -name "*.swift") $(FUZZ)/Files.o $(FUZZ)/Time.o
	$(call fuzzer,PlaylistReader,playlist) $(FUZZED_SOUND)
	$(call fuzzer,TagReader,tags) $(FUZZED_SOUND) $$(find Sources/Sound/Playback/Pictures -name "*.swift") \
	  Sources/Sound/Playback/Decoding/{SectorReader,Ogg/OggPage}.swift
	$(call fuzzer,AudioReader,audio) $(FUZZED_SOUND) Sources/Sound/Playback/Pictures/ByteSource.swift \
	  Sources/Sound/Playback/Decoding/{DecoderError,FileHead,FileInput,SectorReader}.swift Sources/Sound/Playback/Decoding/Sndfile/{Chunk,SampleContainer,SampleOutline,WAVOutline}.swift \
	  Sources/Sound/Playback/Decoding/MPEG/{ID3Texts,MPEGGaps,MPEGHeader,MPEGInfo}.swift Sources/Sound/Playback/Decoding/Ogg/Ogg{Chain,Holes,Page,Scan}.swift
	$(call fuzzer,LiveFormatReader,format) $(FUZZED_DEVICES) \
	  $(FUZZ)/{Time,Files,Spelling,Signals,Clocks,ALSA}.o -lasound
	$(call fuzzer,ConfigurationReader,configuration) -I Sources/Daemon/Cinih $(FUZZED_DEVICES) \
	  $$(find Sources/Daemon/Configuration -name "*.swift") \
	  $(FUZZ)/{Time,Files,Spelling,Vocabulary,AudioSession,Signals,Clocks,ALSA,Threads,Evdev,GPIO}.o -linih -lasound -levdev -lgpiod
	$(call fuzzer,PayloadReader,payload) -I Sources/Clients/CJansson -I Sources/Clients/CCrypto $$(find Sources/Clients/Fleet/Payloads -name "*.swift") Sources/Clients/Fleet/Ruter/AudioURL.swift \
	  $(FUZZ)/Time.o $(FUZZ)/Spelling.o $(FUZZ)/Vocabulary.o $(FUZZ)/AudioSession.o -ljansson -lcrypto
	$(call fuzzer,BusMessageReader,bus) -I Sources/Board/CSystemd \
	  Sources/Board/Systemd/Bus/{BusMessage,BusReader,BusValue}.swift Sources/Board/Systemd/Services/SystemdError.swift $(FUZZ)/Files.o -lsystemd
	$(call fuzzer,PlayersReader,players) $$(find Sources/Clients/Players -name "*.swift") \
	  $(FUZZ)/{Time,Files,Vocabulary,AudioSession}.o
	$(call fuzzer,StreamReader,stream) $$(find Sources/Clients/Stream/Formats -name "*.swift") \
	  Sources/Clients/Stream/Receiving/HTTPAnswer.swift $(FUZZ)/Spelling.o
	$(call fuzzer,DeviceTreeReader,tree) Sources/Board/GPIO/DeviceTree/{DeviceTree,LineClaim}.swift
	for file in deploy/tacet.conf deploy/rehearsal/bus.conf; do \
	  { printf '\0'; cat $$file; } >$(FUZZ)/configuration/$${file##*/}; done
	for name in $(or $(ONLY),$(FUZZERS)); do \
	  cp -n Tests/Tools/Fuzz/corpus/$$name/* $(FUZZ)/$$name; \
	  (cd $(FUZZ); ASAN_OPTIONS=detect_leaks=0 ./$$name-reader -max_total_time=$(FUZZ_SECONDS) -max_len=32769 \
	    -print_final_stats=1 $$name) || exit 1; \
	done

# The headers of the libraries that the sources of levels use.
FUZZED_DEVICES = -I Sources/Sound/CALSA -I Sources/Board/CEvdev -I Sources/Board/CGPIOD -I Sources/Board/CAlarm -I Sources/Board/CRealTime -Xcc -I/usr/include/libevdev-1.0

# The fuzzed files of `Playback`, without those that need decoders.
FUZZED_SOUND := Sources/Sound/Playback/TooManyOpenFiles.swift Sources/Sound/Playback/Decoding/{ForeignFormat,TrackTags}.swift \
  Sources/Sound/Playback/Library/{FileKind,LibraryError,LibraryLimits,PathLookup,Playlist,PlaylistEntry,PlaylistText,Track,UnplayableFiles}.swift \
  Tests/Tools/Fuzz/Stubs/FileContent.swift $(FUZZ)/Files.o $(FUZZ)/Spelling.o
# Builds a fuzzer. The arguments are the module in Tests/Tools/Fuzz and the name of the program, and the call adds the
# other sources.
fuzzer = swiftc -O -wmo -parse-as-library -package-name tacet -module-name $(1) -sanitize=fuzzer,address -use-ld=lld \
  -I $(FUZZ) Tests/Tools/Fuzz/$(1).swift -o $(FUZZ)/$(2)-reader
