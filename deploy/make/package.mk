# The Debian packages, and the images to flash.

# Debian's tools build the packages in a Debian root, which only root can set up.
DEBIAN ?= 13
SUITE = $(if $(filter 12,$(DEBIAN)),bookworm,trixie)
PACKAGES_FOLDER := .build/deb
REPOSITORY ?= .build/apt-repository
DEPLOY_BUILD := deploy/build

deb: $(if $(filter 12,$(DEBIAN)),toolchain) ## build the Debian package (ARCH=amd64|arm64, DEBIAN=13|12, FRESH=1: recompiles everything)
	for part in "host.sh $(ARCH)" "toolchain.sh $(ARCH) $(SUITE)" "package.sh $(ARCH) $(SUITE)"; do \
	  $(AS_ROOT) $(DEPLOY_BUILD)/$$part; done
	mkdir -p $(PACKAGES_FOLDER)
	cp $(or $(TACET_BOARD),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tacet-board)/package-$(ARCH)-$(SUITE)/*.deb $(PACKAGES_FOLDER)/
	ls -l $(PACKAGES_FOLDER)/*_{$(ARCH),all}.deb

debian-build: ## compile everything, including the tests, with Debian 13's Swift, without optimisation (FRESH=1: recompiles everything)
	for part in "host.sh amd64" "toolchain.sh amd64" debug.sh; do $(AS_ROOT) $(DEPLOY_BUILD)/$$part; done

apt-repository: ## make an apt repository for a web server from all packages that have been built, signed with your key (KEY=, URI=, REPOSITORY=folder)
	KEY="$(KEY)" URI="$(URI)" $(DEPLOY_BUILD)/repository.sh $(REPOSITORY) $(PACKAGES_FOLDER)/*.deb

# Building the image requires root, because its files belong to root.
BOARD ?= raspberry-pi
IMAGES := .build/image
image: ## build an image to flash, and an update with the same content (BOARD=raspberry-pi, CERTIFICATE= and PRIVATE_KEY= for signing updates)
	if ! [ -x deploy/image/$(BOARD).sh ]; then echo "There is no image for BOARD=$(BOARD). Use BOARD=raspberry-pi, which is for a Raspberry Pi 3 or 4." >&2; exit 2; fi
	$(MAKE) deb ARCH=arm64
	$(AS_ROOT) deploy/image/root.sh
	$(AS_ROOT) deploy/image/$(BOARD).sh $(IMAGES)

image-test: image ## test the image on emulated boards: power cuts, an update with apt, updates that are rolled back (ONLY=names of checks)
	$(AS_ROOT) Tests/System/virtual-board/build/modules.sh arm64
	$(AS_ROOT) Tests/System/$(BOARD)/kept-levels
	$(AS_ROOT) Tests/System/$(BOARD)/check.py $(IMAGES)/tacet-$(BOARD).img $(IMAGES)/tacet-$(BOARD).raucb $(ONLY)
