# The Debian packages, and the images to flash.

# Debian's tools build the packages in a Debian root, which only root can set up.
DEBIAN ?= 13
SUITE = $(if $(filter 12,$(DEBIAN)),bookworm,trixie)
PACKAGES_FOLDER := .build/deb
REPOSITORY ?= .build/apt-repository
DEPLOY_BUILD := deploy/build

PACKAGE_CACHE = $(or $(TACET_BOARD),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tacet-board)
deb: $(if $(filter 12,$(DEBIAN)),toolchain) ## build the Debian package (ARCH=amd64|arm64, DEBIAN=13|12, FRESH=1: recompiles everything)
	[ -d $(PACKAGE_CACHE)/package-$(ARCH)-$(SUITE) ] || { \
	  echo "As root, this sets up a Debian with compilers in $(PACKAGE_CACHE), and compiles there. It downloads"; \
	  echo "650 MB, takes 4 GB, and needs about 10 minutes on two cores. The packages will be in $(CURDIR)/$(PACKAGES_FOLDER)."; }
	for part in toolchain package; do $(AS_ROOT) $(DEPLOY_BUILD)/$$part.sh $(ARCH) $(SUITE); done
	mkdir -p $(PACKAGES_FOLDER)
	cp $(PACKAGE_CACHE)/package-$(ARCH)-$(SUITE)/*.deb $(PACKAGES_FOLDER)/
	ls -l $(PACKAGES_FOLDER)/*_{$(ARCH),all}.deb

debian-build: ## compile everything, including the tests, with Debian 13's Swift, without optimisation (FRESH=1: recompiles everything)
	for part in "toolchain.sh amd64" debug.sh; do $(AS_ROOT) $(DEPLOY_BUILD)/$$part; done

apt-repository: ## make an apt repository for a web server from all packages that have been built, signed with your key (KEY=, URI=, REPOSITORY=folder)
	KEY="$(KEY)" URI="$(URI)" $(DEPLOY_BUILD)/repository.sh $(REPOSITORY) $(PACKAGES_FOLDER)/*.deb

# Building the image requires root, because its files belong to root.
BOARD ?= raspberry-pi
IMAGES := .build/image
image: ## build an image to flash, and an update with the same content (BOARD=raspberry-pi, CERTIFICATE= and PRIVATE_KEY= for signing updates)
	if ! [ -x deploy/image/$(BOARD).sh ]; then echo "There is no image for BOARD=$(BOARD). Use BOARD=raspberry-pi, which is for a Raspberry Pi 3 or 4." >&2; exit 2; fi
	$(MAKE) deb ARCH=arm64
	$(AS_ROOT) $(DEPLOY_BUILD)/host.sh arm64
	$(AS_ROOT) deploy/image/root.sh
	$(AS_ROOT) deploy/image/$(BOARD).sh $(IMAGES)

image-test: image ## test the image on emulated boards: power cuts, an update with apt, updates that are rolled back (ONLY=names of checks)
	$(AS_ROOT) Tests/System/virtual-board/build/modules.sh arm64
	$(AS_ROOT) Tests/System/$(BOARD)/kept-levels
	$(AS_ROOT) Tests/System/$(BOARD)/check.py $(IMAGES)/tacet-$(BOARD).img $(IMAGES)/tacet-$(BOARD).raucb $(ONLY)

# Without DEBIAN=, in both. Needs root.
journey: ## do what the README says in a fresh minimal Debian, as a user with sudo (DEBIAN=13 or 12, KEEP=1: keeps its files)
	for release in $(if $(filter command line environment,$(origin DEBIAN)),$(DEBIAN),12 13); do \
	  $(AS_ROOT) Tests/System/journey $$release; done
