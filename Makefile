# SPDX-License-Identifier: GPL-2.0-only
#
# make series              a density series against Linux 7.3, fetched once
# make series KTREE=DIR    against your tree, which is only read; fetches nothing
# make test                every check, and the tests, on three fetched trees
# make ladder              the long tests, and every series up the whole ladder, booted;
#                          writes docs/ladder.md
# make results             write docs/results.md of the runs under docs/runs
# make mutants             seed faults and see each one found; writes docs/mutants.md

# Some shells leave the ~ of KTREE=~/linux to us.
KTREE ?= 7.3
TREE   = $(patsubst ~/%,$(HOME)/%,$(KTREE))
OUT    = out/density-s4

VERSION := $(shell git describe --always --dirty 2>/dev/null)
export CGO_ENABLED = 1 # the C parser is C

.PHONY: setup setup-agree setup-boot build trees maps series test ladder mutants clean

setup:
	@sh .ci/setup

setup-agree:
	@sh .ci/setup agree

setup-boot:
	@sh .ci/setup boot

build:
	go build -buildvcs=false -ldflags "$(if $(VERSION),-X main.version=$(VERSION))" -o bin/kgen ./cmd/kgen

trees: setup build
	bin/kgen tree fetch 7.3
	bin/kgen tree fetch 6.12
	bin/kgen tree fetch 6.1

# The symbols and the module of a real kernel.
maps: setup build
	bin/kgen maps

series: setup build
	@sh .ci/series "$(TREE)" "$(OUT)"

test: setup-agree trees maps
	test -z "$$(gofmt -l cmd gen model patches proptest templates | tee /dev/stderr)"
	go vet ./...
	go tool staticcheck ./...
	go test -vet=off -ldflags='-s -w' -timeout 30m ./... # go vet has seen more

ladder: setup-boot trees maps
	go test -tags ladder -timeout 60m -run 'TestBoot|TestBuild' ./gen/check
	go test -tags ladder -v -timeout 60m -run TestWhole ./gen/modharness
	go test -tags ladder -timeout 60m -run TestEveryShiftBuilds ./gen/series
	LADDER_RUNS=../../docs/ladder.json LADDER_TABLE=../../docs/ladder.md \
		go test -tags ladder -v -timeout 180m -run TestLadder ./gen/series

mutants: setup-agree trees maps
	go test -tags mutants -timeout 30m -run 'TestCatches|TestBatches' ./gen/harness
	go test -tags mutants -timeout 30m -run TestMutants ./gen/gomodel
	MUTANTS_TABLE=../../docs/mutants.md go test -tags mutants -timeout 60m ./proptest/mutants

results: build
	bin/kgen report --format md docs/runs/*.json > docs/results.md.tmp
	mv docs/results.md.tmp docs/results.md

clean:
	rm -rf bin out
