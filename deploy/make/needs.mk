# The packages that the other targets need on this machine. Missing packages are installed.
apt-install = deploy/build/install $(1)

toolchain:
	if ! command -v swift >/dev/null; then \
	  if apt-cache show swiftlang >/dev/null 2>&1 || grep -qs 'trixie' /etc/os-release; then $(MAKE) swiftlang; else \
	    echo "Tacet needs Swift 6. See https://www.swift.org/install/linux (on Debian 13: apt install swiftlang)." >&2; \
	    exit 1; fi; fi

swiftlang:
	$(call apt-install,swiftlang libstdc++-14-dev)

libraries: toolchain
	packages=$$(deploy/build/libraries); $(call apt-install,pkg-config $$packages)

# All recordings have the name song.ogg, so they are linked under the names of their folders.
music: $(REHEARSAL)/music $(REHEARSAL)/telephone.ogg
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

# What somebody plays from a telephone.
$(REHEARSAL)/telephone.ogg: | $(REHEARSAL)/music
	ln -sfn "music/War of freedom.ogg" $@

# A sound server for machines without a sound card, and the plug-in through which ALSA uses it.
PULSE_PLUGIN = $(shell pkg-config --variable=libdir alsa)/alsa-lib/libasound_module_pcm_pulse.so
sound-server: libraries
	if ! { command -v pulseaudio && command -v parec && [ -e $(PULSE_PLUGIN) ]; } >/dev/null; then $(MAKE) server; fi

# What `make test` needs: two servers (PulseAudio and mosquitto), a message bus, and what makes data for the tests.
test-packages: libraries sound-server message-bus broker journal-maker

# What the tests in the folders named Peers need: the programs of other people that play, broadcast, or control Tacet.
peers: players stations browser bus-clients

# A bus for the tests, its clients, and a stand-in for services of the system.
message-bus:
	if ! { command -v dbus-daemon && command -v busctl && command -v gdbus && \
	  /usr/bin/python3 -c "import dbusmock"; } >/dev/null 2>&1; then $(MAKE) bus; fi

bus:
	$(call apt-install,dbus-daemon systemd libglib2.0-bin python3-dbusmock)

bus-clients:
	if ! { command -v playerctl && command -v pw-reserve; } >/dev/null; then $(MAKE) bus-client-packages; fi

bus-client-packages:
	$(call apt-install,playerctl pipewire-bin)

# Real players for the tests, and programs that play into Tacet.
PLAYER_PROGRAMS := mpd mpc mpv vlc mpDris2 setpriv shairport-sync snapserver snapclient
# Files without a program. Their folders depend on the version and on the processor.
PLAYER_FILES := /usr/lib/mpv-mpris/mpris.so /usr/lib/*/vlc/plugins/control/libdbus_plugin.so \
  /usr/lib/pulse-*/modules/module-raop-sink.so
players:
	if ! ( for program in $(PLAYER_PROGRAMS); do command -v $$program || exit 1; done && \
	  for file in $(PLAYER_FILES); do [ -e "$$file" ] || exit 1; done && \
	  /usr/bin/python3 -c "import dbus, gi" ) >/dev/null 2>&1; then $(MAKE) player-packages; fi

player-packages:
	$(call apt-install,mpd mpc mpv mpv-mpris vlc-bin vlc-plugin-base mpdris2 util-linux shairport-sync snapserver snapclient pulseaudio-module-raop python3-dbus python3-gi)

# An encoder and a server of radio streams for the tests, and the decoder of AAC.
stations:
	if ! { command -v ffmpeg && command -v icecast2; } >/dev/null; then $(MAKE) station-packages; fi

station-packages:
	$(call apt-install,ffmpeg icecast2)

# Converts an export into a journal file, for the tests of programs that read one.
journal-maker:
	if ! [ -x /lib/systemd/systemd-journal-remote ]; then $(MAKE) remote; fi

remote:
	$(call apt-install,systemd-journal-remote)

server:
	$(call apt-install,pulseaudio pulseaudio-utils libasound2-plugins)

recording:
	$(call apt-install,$(MUSIC_PACKAGE))

sound-theme:
	$(call apt-install,$(SOUND_PACKAGE))
