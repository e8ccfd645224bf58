# Releases: docs/releasing.md. All that is built and downloaded lies under the target folder.
.PHONY: dist packages test-packages

dist: tools ## the library for every platform, with sums, into target/dist: make dist [ONLY="linux-x64 …"] (needs Python 3)
	python3 packages/dist.py $(ONLY)

packages: ## wheels, npm, tarballs, .deb, gems from target/dist, into target/dist/packages
	python3 packages/pack.py

test-packages: ## target/dist looked at, each package installed into a clean environment and used (QUICK=1: without the slow ones)
	$$(packages/tools.sh)/bin/pytest -q -rs --strict-markers -p no:cacheprovider $(if $(QUICK),-m 'not slow') packages/tests
