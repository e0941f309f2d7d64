# The files that `make install` installs on a board, and their locations.

PREFIX ?= /usr
DESTDIR ?=
# A folder with programs that were built elsewhere, for another board. If it is set, nothing is built.
TACET_BIN ?=
STRIP ?= strip
PROGRAMS := $(shell sed -nE 's,^ *[.]executable.name: "([a-z-]+)".*,\1,p' Package.swift)

# The folders that pkg-config reports, or else the usual ones, regardless of PREFIX. (Debian 12 reports /lib, which is a
# link to /usr/lib.)
folder-of = $(or $(patsubst /lib/%,/usr/lib/%,$(shell pkg-config --variable=$(2) $(1) 2>/dev/null)),$(3))
UNIT_FOLDER = $(call folder-of,systemd,systemdsystemunitdir,/usr/lib/systemd/system)
SYSUSERS_FOLDER = $(call folder-of,systemd,sysusersdir,/usr/lib/sysusers.d)
TMPFILES_FOLDER = $(call folder-of,systemd,tmpfilesdir,/usr/lib/tmpfiles.d)
CATALOG_FOLDER = $(call folder-of,systemd,catalogdir,/usr/lib/systemd/catalog)
RULES_FOLDER = $(call folder-of,udev,udevdir,/usr/lib/udev)/rules.d

# Runs a part of `make install` and `make uninstall` with permission to write to these folders.
define privileged
	if [ -n "$(DESTDIR)" ] || [ "$$(id -u)" = 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; else \
	  echo "Please run as root: make $@" >&2; exit 1; fi; \
	$$as_root $(MAKE) $(1) PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" STRIP="$(STRIP)" TACET_BIN="$(TACET_BIN)"
endef

install: overlay-compiler $(if $(TACET_BIN),,programs) ## install on this board, or into DESTDIR= (PREFIX=/usr, TACET_BIN=folder with built programs)
	$(call privileged,place place-fleet place-players place-stream place-page)
	if [ -z "$(DESTDIR)" ]; then $(call privileged,announce); fi

uninstall: ## remove everything that `make install` has installed, but keep the state and the configuration in /etc/tacet
	if [ -z "$(DESTDIR)" ] && [ -d /run/systemd/system ]; then $(call privileged,halt); fi
	$(call privileged,displace)

overlay-compiler:
	if ! command -v dtc >/dev/null; then $(MAKE) device-tree-compiler; fi

device-tree-compiler:
	$(call apt-install,device-tree-compiler)

programs: toolchain libraries
	echo "Building. This takes a few minutes …"
	for program in $(PROGRAMS); do $(SWIFT_BUILD) --product $$program; done

# The location of each file. Paths in these files that begin with /usr follow PREFIX.
INSTALLING = $(or $(TACET_BIN),$(BUILT))
LIB = $(PREFIX)/lib/tacet
DOC = $(PREFIX)/share/doc/tacet
# The bus reads policies from the system's share folder and from that of /usr/local.
POLICY_FOLDER = $(PREFIX)/share/dbus-1/system.d
POLICY = $(POLICY_FOLDER)/org.mpris.MediaPlayer2.tacet.conf
MAN = $(PREFIX)/share/man
BASH_COMPLETION = $(PREFIX)/share/bash-completion/completions/tacet
ZSH_COMPLETION = $(PREFIX)/share/zsh/vendor-completions/_tacet
FISH_COMPLETION = $(PREFIX)/share/fish/vendor_completions.d/tacet.fish
# The sub-commands, each of which has a manual page.
MANUALS := $(patsubst deploy/man/tacet-%.1,%,$(wildcard deploy/man/tacet-*.1))
# Units and drop-ins to copy and change.
EXAMPLES := $(filter-out README.md,$(sort $(shell find deploy/examples -maxdepth 1 -type f -printf '%P\n')))
# Configurations of other programs that play into Tacet, which tacet-inputs(7) describes, and of whole boards.
RECIPES := README.md $(sort $(shell find deploy/examples -mindepth 2 -type f -printf '%P\n'))
# The compiled overlays, which name a board's lines.
OVERLAYS := $(basename $(notdir $(wildcard hardware/overlays/*.dtso)))
OVERLAY_FOLDER = $(PREFIX)/share/tacet/overlays
# The Cockpit page. (Cockpit also looks in /usr/local.) It is a separate package, and does not have any effect without
# Cockpit.
PAGE := $(notdir $(wildcard deploy/cockpit/*))
PAGE_FOLDER = $(PREFIX)/share/cockpit/tacet
INSTALLED = $(POLICY) $(PREFIX)/bin/tacet $(LIB)/tacetd $(LIB)/tacet.conf $(DOC)/README.md $(UNIT_FOLDER)/tacet.service \
  $(UNIT_FOLDER)/tacet-outputs.service \
  $(SYSUSERS_FOLDER)/tacet.conf $(TMPFILES_FOLDER)/tacet.conf $(RULES_FOLDER)/60-tacet.rules $(CATALOG_FOLDER)/tacet.catalog \
  $(DOC)/deploy/README.md $(DOC)/overlays/README.md $(DOC)/overlays/boards.csv $(DOC)/examples/draft $(OVERLAYS:%=$(OVERLAY_FOLDER)/%.dtbo) \
  $(MAN)/man1/tacet.1 $(MANUALS:%=$(MAN)/man1/tacet-%.1) $(MAN)/man5/tacet.conf.5 $(MAN)/man5/org.tacet.Session1.5 \
  $(MAN)/man7/tacet.journal.7 $(MAN)/man7/tacet-inputs.7 $(MAN)/man8/tacetd.8 \
  $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) \
  $(EXAMPLES:%=$(DOC)/examples/%) $(RECIPES:%=$(DOC)/examples/%) $(PAGE:%=$(PAGE_FOLDER)/%)
# The files that every program beside the daemon has. Each of these programs is a separate package.
helper-files = $(LIB)/$(1) $(POLICY_FOLDER)/$(1).conf $(UNIT_FOLDER)/$(1).service $(SYSUSERS_FOLDER)/$(1).conf \
  $(CATALOG_FOLDER)/$(1).catalog $(MAN)/man8/$(1).8
# The connection to a fleet, the control of other players, and the receiver of streams.
FLEET_DOC = $(PREFIX)/share/doc/tacet-mqtt
FLEET_INSTALLED = $(call helper-files,tacet-mqtt) $(LIB)/mqtt.conf $(MAN)/man5/mqtt.conf.5 \
  $(addprefix $(FLEET_DOC)/examples/,$(notdir $(wildcard deploy/fleet/*)))
PLAYERS_INSTALLED = $(call helper-files,tacet-players)
STREAM_INSTALLED = $(call helper-files,tacet-stream)

# Shell functions: `put` takes permissions, a file and its location, and `moved` does the same for a file that contains
# paths below PREFIX. `helper` places the files that every program beside the daemon has.
define placing
	put() { install -D -m "$$1" "$$2" "$(DESTDIR)$$3"; }; \
	moved() { put 644 "$$1" "$$2"; \
	  sed -E -i 's,/usr(/lib/tacet/|/bin/tacet |/share/doc/tacet(-mqtt)?/),$(PREFIX)\1,g' "$(DESTDIR)$$2"; }; \
	program() { put 755 "$(INSTALLING)/$$1" "$$2"; \
	  if command -v $(STRIP) >/dev/null; then $(STRIP) "$(DESTDIR)$$2" 2>/dev/null || true; fi; }; \
	helper() { program "$$1" "$(LIB)/$$1"; \
	  moved "deploy/man/$$1.8" "$(MAN)/man8/$$1.8"; \
	  put 644 "deploy/sysusers.d/$$1.conf" "$(SYSUSERS_FOLDER)/$$1.conf"; \
	  put 644 "deploy/dbus-1/$$1.conf" "$(POLICY_FOLDER)/$$1.conf"; \
	  moved "deploy/$$1.service" "$(UNIT_FOLDER)/$$1.service"; \
	  moved "deploy/$$1.catalog" "$(CATALOG_FOLDER)/$$1.catalog"; }
endef

place-fleet:
	[ -x "$(INSTALLING)/tacet-mqtt" ] || { echo "There is no program $(INSTALLING)/tacet-mqtt." >&2; exit 1; }
	$(placing); \
	helper tacet-mqtt; \
	put 644 deploy/mqtt.conf $(LIB)/mqtt.conf; \
	moved deploy/man/mqtt.conf.5 $(MAN)/man5/mqtt.conf.5; \
	for file in deploy/fleet/*; do put 644 $$file $(FLEET_DOC)/examples/$${file##*/}; done

place-players place-stream: place-%:
	[ -x "$(INSTALLING)/tacet-$*" ] || { echo "There is no program $(INSTALLING)/tacet-$*." >&2; exit 1; }
	$(placing); \
	helper tacet-$*

place:
	for program in tacet tacetd; do [ -x "$(INSTALLING)/$$program" ] || { \
	  echo "There is no program $(INSTALLING)/$$program." >&2; exit 1; }; done
	$(placing); \
	program tacet $(PREFIX)/bin/tacet; program tacetd $(LIB)/tacetd; \
	put 644 deploy/tacet.conf $(LIB)/tacet.conf; \
	put 644 README.md $(DOC)/README.md; \
	put 644 deploy/README.md $(DOC)/deploy/README.md; \
	put 644 hardware/overlays/README.md $(DOC)/overlays/README.md; \
	put 644 hardware/overlays/boards.csv $(DOC)/overlays/boards.csv; \
	put 755 hardware/overlays/draft $(DOC)/examples/draft; \
	put 644 deploy/dbus-1/org.mpris.MediaPlayer2.tacet.conf $(POLICY); \
	for page in tacet $(MANUALS:%=tacet-%); do put 644 deploy/man/$$page.1 $(MAN)/man1/$$page.1; done; \
	put 644 deploy/man/tacet.conf.5 $(MAN)/man5/tacet.conf.5; \
	put 644 deploy/man/org.tacet.Session1.5 $(MAN)/man5/org.tacet.Session1.5; \
	moved deploy/man/tacet.journal.7 $(MAN)/man7/tacet.journal.7; \
	moved deploy/man/tacet-inputs.7 $(MAN)/man7/tacet-inputs.7; \
	moved deploy/man/tacetd.8 $(MAN)/man8/tacetd.8; \
	put 644 deploy/completions/tacet.bash $(BASH_COMPLETION); \
	put 644 deploy/completions/tacet.zsh $(ZSH_COMPLETION); \
	put 644 deploy/completions/tacet.fish $(FISH_COMPLETION); \
	put 644 deploy/sysusers.d/tacet.conf $(SYSUSERS_FOLDER)/tacet.conf; \
	put 644 deploy/tmpfiles.d/tacet.conf $(TMPFILES_FOLDER)/tacet.conf; \
	put 644 deploy/udev/60-tacet.rules $(RULES_FOLDER)/60-tacet.rules; \
	for example in $(EXAMPLES); do moved deploy/examples/$$example $(DOC)/examples/$$example; done; \
	for recipe in $(RECIPES); do put 644 deploy/examples/$$recipe $(DOC)/examples/$$recipe; done; \
	moved deploy/tacet.service $(UNIT_FOLDER)/tacet.service; \
	moved deploy/tacet-outputs.service $(UNIT_FOLDER)/tacet-outputs.service; \
	moved deploy/tacet.catalog $(CATALOG_FOLDER)/tacet.catalog
	install -d "$(DESTDIR)/etc/tacet/tacet.conf.d" "$(DESTDIR)$(OVERLAY_FOLDER)"
	for name in $(OVERLAYS); do \
	  dtc -@ -I dts -O dtb -o "$(DESTDIR)$(OVERLAY_FOLDER)/$$name.dtbo" hardware/overlays/$$name.dtso; \
	  chmod 644 "$(DESTDIR)$(OVERLAY_FOLDER)/$$name.dtbo"; done

place-page:
	for file in $(PAGE); do install -D -m 644 "deploy/cockpit/$$file" "$(DESTDIR)$(PAGE_FOLDER)/$$file"; done

# Makes a running system use the new files. The group is created before udev applies the rule that gives it the chips.
announce:
	if command -v systemd-sysusers >/dev/null; then \
	  systemd-sysusers $(SYSUSERS_FOLDER)/tacet.conf $(SYSUSERS_FOLDER)/tacet-mqtt.conf \
	    $(SYSUSERS_FOLDER)/tacet-players.conf $(SYSUSERS_FOLDER)/tacet-stream.conf; fi
	if command -v systemd-tmpfiles >/dev/null; then systemd-tmpfiles --create $(TMPFILES_FOLDER)/tacet.conf; fi
	if command -v journalctl >/dev/null; then journalctl --update-catalog; fi
	if [ -S /run/udev/control ]; then udevadm control --reload; udevadm trigger --subsystem-match=gpio; fi
	if [ -S /run/dbus/system_bus_socket ]; then busctl call org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig || true; fi
	if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	echo "Installed. Next:"
	echo "  tacet lines                     lists the GPIO lines of this board"
	echo "  /etc/tacet/tacet.conf.d/*.conf  configures the wires and Library= (see tacet.conf(5))"
	echo "  tacet check                     lists every mistake in the configuration and its fix"
	echo "  systemctl enable --now tacet    starts Tacet now and at every boot (after an update: systemctl restart tacet)"

halt:
	systemctl disable --now tacet-mqtt.service tacet-players.service tacet-stream.service tacet.service 2>/dev/null || true
	systemctl stop tacet-outputs.service 2>/dev/null || true

displace:
	for file in $(INSTALLED) $(FLEET_INSTALLED) $(PLAYERS_INSTALLED) $(STREAM_INSTALLED); do rm -f "$(DESTDIR)$$file"; done
	rm -rf "$(DESTDIR)/var/cache/tacet-mqtt"
	for folder in $(LIB) $(PAGE_FOLDER) $(OVERLAY_FOLDER) $(dir $(OVERLAY_FOLDER)) \
	  $(patsubst %/,$(DOC)/examples/%,$(sort $(dir $(RECIPES)))) $(DOC)/examples/inputs $(DOC)/examples $(DOC)/deploy $(DOC)/overlays $(DOC) $(FLEET_DOC)/examples $(FLEET_DOC) /etc/tacet/tacet.conf.d /etc/tacet; do \
	  rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$folder" 2>/dev/null || true; done
	if [ -z "$(DESTDIR)" ]; then \
	  if command -v journalctl >/dev/null; then journalctl --update-catalog; fi; \
	  if [ -S /run/udev/control ]; then udevadm control --reload; fi; \
	  if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi; \
	  echo "Removed. If you do not need them, also remove /etc/tacet, /var/lib/tacet, /var/lib/tacet-mqtt, /var/lib/tacet-players, /srv/music and the users tacet, tacet-mqtt, tacet-players and tacet-stream."; fi
