# For match runners that build with make: `make EXE=name` leaves the program in this folder under that name.
# Needs only cargo: no git, no internet, no arguments. `make EXE=name EVALFILE=net` compiles in the network of the file
# `net`, of chess or of xiangqi, instead of the committed one; make passes the variable on to build.rs. A file that is
# no such network, or one of another shape, fails the build.

EXE ?= tabiya
CARGO ?= cargo
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

# Some runners give the name with its suffix, some without.
OUT := $(EXE:$(SUFFIX)=)$(SUFFIX)

.PHONY: all bench page clean

## Build the program
all:
	$(CARGO) build --release --locked --bin tabiya
	cp "$(TARGET_DIR)/release/tabiya$(SUFFIX)" "$(OUT).new"
	mv -f "$(OUT).new" "$(OUT)"

## Print the node count that identifies search and evaluation
bench: all
	./"$(OUT)" bench

## Build the page for browsers, target/tabiya.html
page:
	python3 tests/tools/page.py

## Remove what was built
clean:
	$(CARGO) clean
	rm -f "$(OUT)"
