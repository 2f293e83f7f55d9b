#!/usr/bin/env python3
"""Builds the page for browsers: src/web with the library as WebAssembly, in one file that needs no other.

    python3 tests/tools/page.py [FILE]      FILE is target/tabiya.html by default

Needs the target wasm32-unknown-unknown of Rust: `rustup target add wasm32-unknown-unknown`.
"""

import base64
import gzip
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = "wasm32-unknown-unknown"
SUITES = ["chess/standard.epd", "chess/tricky.epd", "xiangqi/standard.epd", "xiangqi/tricky.epd"]


def build():
    """The module."""
    folder = subprocess.run(["rustc", "--print", "target-libdir", "--target", TARGET], cwd=ROOT, text=True,
                            capture_output=True)
    if folder.returncode or not pathlib.Path(folder.stdout.strip()).exists():
        sys.exit(f"page.py: the target {TARGET} is missing; install it with: rustup target add {TARGET}")
    features = ["--no-default-features", "--features", "c-api"]
    small = {"LTO": "fat", "CODEGEN_UNITS": "1", "PANIC": "abort", "STRIP": "true"}
    subprocess.run(["cargo", "rustc", "--release", "--target", TARGET, "--lib", "--crate-type", "cdylib", *features],
                   cwd=ROOT, check=True, env=os.environ | {f"CARGO_PROFILE_RELEASE_{name}": value for name, value in small.items()})
    return (ROOT / "target" / TARGET / "release" / "tabiya.wasm").read_bytes()


def packed(data):
    """The attributes and the text of a script with the data, without the two digits that HTML reads as marks."""
    data = gzip.compress(data, 9, mtime=0)
    text = base64.b85encode(data, pad=True).decode().replace("&", ",").replace("<", ".")
    return f'data-size="{len(data)}">{text}'


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "target" / "tabiya.html"
    parts = {name: (ROOT / "src/web" / file).read_text()
             for name, file in [("STYLE", "style.css"), ("WORKER", "worker.js"), ("SCRIPT", "page.js")]}
    suites = {name: (ROOT / "perft-suites" / name).read_text() for name in SUITES}
    parts["NAMES"] = "".join(f"<option>{name}</option>" for name in suites)
    parts["SUITES"] = packed(json.dumps(suites).encode())
    parts["MODULE"] = packed(build())
    page = (ROOT / "src/web/page.html").read_text()
    for name, text in parts.items():
        before, place, after = page.partition(f"/*{name}*/")
        assert place, name
        page = before + text + after
    out.write_text(page)
    print(f"{out}: {out.stat().st_size // 1024} KB")


main()
