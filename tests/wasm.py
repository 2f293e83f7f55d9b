"""Runs a WebAssembly build of the program, given with its arguments, under wasmtime: `wasm.py tabiya.wasm perft 5`.

Used by `.ci/nightly`. Needs the Python package `wasmtime`.
"""
import sys

from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig

engine = Engine()
linker = Linker(engine)
linker.define_wasi()
store = Store(engine)
config = WasiConfig()
config.argv = ["tabiya", *sys.argv[2:]]
config.inherit_stdout()
config.inherit_stderr()
store.set_wasi(config)
try:
    linker.instantiate(store, Module.from_file(engine, sys.argv[1])).exports(store)["_start"](store)
except ExitTrap as end:
    sys.exit(end.code)
