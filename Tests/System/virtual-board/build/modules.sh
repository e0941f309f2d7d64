#!/usr/bin/env bash
# Gets the unmodified kernel, and builds modules that Debian does not build, from Debian's own source of that kernel:
# gpio-sim (a GPIO chip whose lines are pulled by writing to files), the simulated interrupts that it needs, gpio-pca953x
# (an expander on an I2C bus) and i2c-stub (such a bus). modules.patch adds parameters that cause faults.
# usage: modules.sh arm64|amd64
. "$(dirname "$0")/../../../../deploy/build/common.sh"
need_architecture "${1:-}"
architecture=$1
release=$(kernel_release "$architecture")
version=${release%"-$architecture"}
kernel=$CACHE/kernel-$architecture
modules=$CACHE/modules-$architecture
sources=$CACHE/module-sources

# The package is unpacked outside the root file system, so that only the required modules are copied into it.
unpack_kernel() {
  rm -rf "$kernel"
  local package
  package=$(download "linux-image-$release:$architecture")
  dpkg-deb -x "$package" "$kernel"
  if ! [ -d "$kernel/usr/lib/modules" ]; then
    mkdir -p "$kernel/usr/lib"
    mv "$kernel/lib/modules" "$kernel/usr/lib/"
  fi
  depmod -b "$kernel/usr" "$release" 2>/dev/null || { ln -sfn usr/lib "$kernel/lib"; depmod -b "$kernel" "$release"; }
  rm -f "$package"
}

extract_sources() {
  rm -rf "$sources"
  mkdir -p "$sources"
  local major package unpacked
  major=$(sed -E 's/^([0-9]+\.[0-9]+).*/\1/' <<<"$version")
  package=$(download "linux-source-$major:amd64")
  unpacked=$(mktemp -d "$CACHE/linux.XXXXXX")
  dpkg-deb --fsys-tarfile "$package" | tar -xO "./usr/src/linux-source-$major.tar.xz" | xz -dc -T0 \
    | tar -x -C "$unpacked" --strip-components=1 "linux-source-$major/drivers/gpio" "linux-source-$major/kernel/irq" \
    "linux-source-$major/drivers/i2c/i2c-stub.c"
  cp "$unpacked"/drivers/gpio/{gpio-sim.c,gpio-pca953x.c,gpiolib*.h} "$unpacked/kernel/irq/irq_sim.c" \
    "$unpacked/drivers/i2c/i2c-stub.c" "$sources/"
  cp "$unpacked"/drivers/gpio/dev-sync-probe.[ch] "$sources/" 2>/dev/null || true
  rm -rf "$unpacked" "$package"
  patch --quiet --directory="$sources" --strip=1 --fuzz=0 <"$BOARD/build/modules.patch"
  cat >"$sources/irqsim.c" <<'C'
/* kernel/irq/irq_sim.c as a module: Debian's kernels have no user of it, so it is not built in. */
#include <linux/module.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
/* not exported; the same descriptor by way of what is */
#define irq_to_desc(n) irq_data_to_desc(irq_get_irq_data(n))
#include "irq_sim.c"
MODULE_DESCRIPTION("simulated interrupts");
MODULE_LICENSE("GPL");
C
  cat >"$sources/Makefile" <<'MAKE'
obj-m := irqsim.o gpio-sim.o i2c-stub.o
# Debian builds it into the kernel for arm64 only.
ifndef CONFIG_GPIO_PCA953X
obj-m += gpio-pca953x.o
endif
MAKE
}

compile_modules() {
  local package prefix= kbuild=x86
  if [ "$architecture" = arm64 ]; then prefix=aarch64-linux-gnu- kbuild=arm64; fi
  for package in "linux-headers-$release:$architecture" "linux-headers-$version-common:amd64" \
    "linux-kbuild-$version:amd64"; do
    package=$(download "$package")
    dpkg-deb -x "$package" "$TOOLCHAIN"
    rm -f "$package"
  done
  rm -rf "$modules"
  cp -r "$sources" "$modules"
  inside "$modules=/modules" -- make -s -C "/usr/src/linux-headers-$release" M=/modules ARCH="$kbuild" \
    CROSS_COMPILE="$prefix" CC="${prefix}gcc-14" modules
  inside "$modules=/modules" -- bash -c "${prefix}strip --strip-debug /modules/*.ko"
}

step "kernel $release" "$kernel" "$(key unpack_kernel "$release")" unpack_kernel
step "source of the modules" "$sources" "$(key extract_sources "$BOARD/build/modules.patch" "$version")" extract_sources
step "modules for $architecture" "$modules" "$(key compile_modules "$sources.key" "$release")" compile_modules
