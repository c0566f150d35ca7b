# 成教云. `make run` shows the product, `make test` proves it.
SHELL := /bin/bash
.DEFAULT_GOAL := run
.PHONY: run ready test check fmt generate console bench tools release hosting

# Builds everything, starts a private database, loads two demonstration schools, serves the console,
# prints address and accounts. The server is built as the tests build it (see scripts/generate), so that neither builds twice.
run: ready console/node_modules
	cd console && npm run --silent build
	cargo build --workspace --bin chengjiao
	./target/debug/chengjiao serve --demo

# What is missing to build and run is said before anything is built.
ready:
	scripts/ready

# Everything that CI asks: what is generated is current, no warning, all tests, the browser stories. Nothing is compiled twice:
# clippy's driver is the compiler, and the stage of the statements makes what the later ones run.
test: export RUSTC_WORKSPACE_WRAPPER := $(CURDIR)/scripts/lint_rustc
# Half as many stories again as there are processors: each waits now and then for a job or a notice.
test: export RUST_TEST_THREADS ?= $(shell expr $$(nproc) \* 3 / 2)
test: tools console/node_modules
	@rm -f target/stages.txt
	scripts/stage 'formatting' cargo fmt --check
	scripts/stage 'statements, lints, document' scripts/generate --check
	scripts/stage 'console: lints and types' npm run --silent check --prefix console
	scripts/stage 'units and stories' cargo test --workspace --quiet -- --skip contract::
	# By itself: it takes all of the machine, and stories that wait for a second would wait longer.
	scripts/stage 'made-up calls' cargo test --workspace --test sweeps --quiet -- contract::
	scripts/stage 'console: units' npm test --silent --prefix console
	scripts/stage 'console: build' npm run --silent build --prefix console
	scripts/stage 'server' cargo build --workspace --bin chengjiao --quiet
	scripts/stage 'terraform' scripts/terraform_check
	scripts/stage 'browser stories' npm run --silent e2e --prefix console
	@cat target/stages.txt

check: console/node_modules
	cargo fmt --check
	cargo clippy --workspace --all-targets --quiet -- --deny warnings
	cd console && npm run --silent check

# The checked statements, the document and the console's client.
generate: tools
	scripts/generate

fmt: console/node_modules
	cargo fmt
	cd console && npm run --silent fmt

# Budgets as a table of ratios; BENCH=name chooses. Keeps its data in target/bench. BENCH=workshop times building instead,
# BENCH=stories each story, BENCH=console every page as the eye has it, BENCH=clicks the commonest tasks as a hand has them,
# BENCH=season a season of 20,000 people, BENCH=selection 5,000 learners who choose at once, BENCH=study 2,000 who study at once,
# BENCH=terraform 100 schools in one apply, BENCH=timetable the automatic arrangement and its repair (CTT=file also of
# an instance of the ITC 2007).
bench: tools
ifneq ($(filter clicks console workshop stories,$(BENCH)),)
	scripts/$(BENCH)
else
ifeq ($(BENCH),terraform)
	cargo build --quiet --release --package terraform-provider-school --bin terraform-provider-school
endif
	cargo bench --quiet --package openapi --bench budgets -- $(BENCH)
endif

# One program to copy, and the Debian package of it.
release:
	scripts/release

# What servers are hosted with: rules, proxy, compose file, unit; then the package of `make release` on a Debian of its own (root).
hosting:
	scripts/hosting_check
	scripts/package_check "$$(ls target/debian/chengjiao_*.deb)"

tools:
	scripts/tools

console/node_modules: console/package-lock.json
	cd console && npm ci --no-audit --no-fund --loglevel=error
	touch console/node_modules
