# Proof on other processors, by emulation; what that needs is unpacked under target/cross, nothing is installed.
# RESQ_SAMPLE=20 runs one of 20 cases of the kernels' long loops, as CI does.
.PHONY: test-tiers test-aarch64 cost-aarch64

test-tiers: ## each x86-64 tier on a processor that has just that; big-endian (s390x) and 32 bits (armhf)
	tests/cross/tiers.sh

test-aarch64: ## the NEON tier under qemu, and the extension in an ARM sqlite3 shell
	tests/cross/aarch64.sh

cost-aarch64: ## instructions a byte of the NEON kernels, and what llvm-mca makes of them (estimates, no timing)
	tests/cross/cost.sh
