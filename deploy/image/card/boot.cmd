# U-Boot's script (mkimage makes boot.scr of it): starts the slot that RAUC prefers and that has tries left.
# RAUC's variables: https://rauc.readthedocs.io/en/latest/integration.html#u-boot

test -n "${BOOT_ORDER}" || setenv BOOT_ORDER "A B"
test -n "${BOOT_A_LEFT}" || setenv BOOT_A_LEFT 3
test -n "${BOOT_B_LEFT}" || setenv BOOT_B_LEFT 3

setenv slot
for candidate in ${BOOT_ORDER}; do
  if test -n "${slot}"; then
    true
  elif test "${candidate}" = A -a ${BOOT_A_LEFT} -gt 0 && test -e mmc 0:2 /vmlinuz; then
    setenv slot A
    setenv part 2
    setexpr BOOT_A_LEFT ${BOOT_A_LEFT} - 1
  elif test "${candidate}" = B -a ${BOOT_B_LEFT} -gt 0 && test -e mmc 0:3 /vmlinuz; then
    setenv slot B
    setenv part 3
    setexpr BOOT_B_LEFT ${BOOT_B_LEFT} - 1
  fi
done

# A board that never becomes good, for example because its sound card is broken, must still try.
if test -z "${slot}"; then
  echo "No slot has a try left: all get three."
  setenv BOOT_A_LEFT 3
  setenv BOOT_B_LEFT 3
  saveenv
  reset
fi
saveenv

# Words for the kernel from a file that any computer can edit.
setenv words
if test -e mmc 0:1 /kernel.txt; then
  load mmc 0:1 ${scriptaddr} /kernel.txt
  env import -t -r ${scriptaddr} ${filesize} words
fi
part uuid mmc 0:${part} uuid
# With persist_gpio_outputs=0, an output becomes an input when its program dies, so that the board's resistors determine
# its level. (dtparam=strict_gpiod in config.txt sets the same parameter, but not for Debian's device trees.)
# Without console=, the kernel uses the one of the board's device tree.
setenv bootargs "root=PARTUUID=${uuid} ro rauc.slot=${slot} panic=10 quiet pinctrl_bcm2835.persist_gpio_outputs=0 ${words}"

# U-Boot's own address for the initramfs leaves Debian's kernel too little room.
setenv initramfs 0x10000000
load mmc 0:${part} ${kernel_addr_r} /vmlinuz
load mmc 0:${part} ${initramfs} /initrd.img
booti ${kernel_addr_r} ${initramfs}:${filesize} ${fdt_addr}
# It returns only if that failed.
sleep 10
reset
