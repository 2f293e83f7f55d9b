#!/usr/bin/env python3
"""Uses the page of tests/tools/page.py in Chromium as a user would, and compares its answers with the program's.

    python3 tests/browser.py PAGE PROGRAM [FOLDER]      pictures of the page go to FOLDER

Needs `chromium`, which is driven through a pipe by its own protocol.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PAWNS = "4k3/8/8/8/1p6/8/P1P5/4K3 w - - 0 1"
PATIENCE = 120


class Browser:
    """A page in Chromium."""

    def __init__(self):
        (theirs, self.write), (self.read, mine) = os.pipe(), os.pipe()
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

        def connect():
            # Their ends may have each other's numbers.
            spare = os.dup(mine)
            os.dup2(theirs, 3)
            os.dup2(spare, 4)

        command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900", "--remote-debugging-pipe",
                   f"--user-data-dir={self.folder.name}"]
        self.process = subprocess.Popen(command, preexec_fn=connect, pass_fds=(3, 4), stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(mine)
        self.number, self.rest, self.faults, self.session = 0, b"", [], None

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                more = os.read(self.read, 1 << 16)
                if not more:
                    sys.exit("browser.py: Chromium has ended")
                self.rest += more
            line, _, self.rest = self.rest.partition(b"\0")
            answer = json.loads(line)
            if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.faults.append(line.decode())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)

    def run(self, script):
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, condition):
        """Waits until a condition holds; how long it took."""
        begin = time.monotonic()
        while not self.run(f"(() => {{ try {{ return !!({condition}); }} catch {{ return false; }} }})()"):
            if time.monotonic() > begin + PATIENCE:
                raise SystemExit(f"browser.py: never: {condition}; the page says: {self.run('document.body.innerText')}")
            time.sleep(0.01)
        return time.monotonic() - begin

    def picture(self, path, width, dark):
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=scheme)
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    page, program = pathlib.Path(sys.argv[1]).resolve().as_uri(), sys.argv[2]

    def divide(depth, *options):
        lines = subprocess.run([program, "perft", str(depth), "--divide", *options], text=True, capture_output=True,
                               check=True).stdout.splitlines()
        return dict(line.split(": ") for line in lines if ": " in line)

    browser = Browser()
    shown = """Object.fromEntries([...document.querySelectorAll('#list tr')].map(row =>
        [row.cells[0].textContent, row.cells[2].textContent.replaceAll(',', '')]))"""
    total = "document.getElementById('total').textContent"
    found = "document.getElementById('found').textContent"
    done = "document.getElementById('total').textContent.startsWith('Nodes searched')"

    def goto(**state):
        browser.run(f"$('total').textContent = ''; location.hash = {json.dumps(urllib.parse.urlencode(state))}")
        browser.wait(done)

    def same(what, expected):
        counts = browser.run(shown)
        nodes = expected.pop("Nodes searched")
        assert counts == expected, f"{what}: {counts} instead of {expected}"
        assert browser.run(total).replace(",", "") == f"Nodes searched: {nodes}", what

    def click(selector):
        browser.run(f"document.querySelector({json.dumps(selector)}).click()")

    def mouse(kind, file, rank):
        """On a square of the flipped board, counted from 0."""
        x, y = browser.run(f"""(() => {{
            const svg = $('board').firstChild, box = svg.getBoundingClientRect(), all = svg.viewBox.baseVal;
            return [box.right - (18 + 24 * {file}) * box.width / all.width,
                    box.bottom - (180 - 24 * {rank}) * box.height / all.height];
        }})()""")
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(*square):
        mouse("mousePressed", *square)

    def release(*square):
        mouse("mouseReleased", *square)

    begin = time.monotonic()
    browser.open(page)
    browser.wait(done)
    print(f"first divide after {time.monotonic() - begin:.1f} s")
    same("start", divide(3))
    goto(game=0, fen=KIWIPETE, depth=3)
    same("kiwipete", divide(3, "--fen", KIWIPETE))
    for moves in ("a1b1", "a1b1 a6b5"):
        browser.run(f"$('total').textContent = ''; [...document.querySelectorAll('#list button')]"
                    f".find(b => b.textContent === '{moves.split()[-1]}').click()")
        browser.wait(done)
        same(moves, divide(3 - len(moves.split()), "--fen", KIWIPETE, "--moves", moves))
    # A pawn is dragged on the flipped board, and a knight moved by two clicks.
    goto(game=0, fen="startpos", depth=4)
    click("#flip")
    press(4, 1)
    release(4, 3)
    browser.wait(done + " && location.hash.includes('moves=e2e4&')")
    same("e2e4", divide(3, "--moves", "e2e4"))
    for square in ((6, 7), (5, 5)):
        press(*square)
        release(*square)
    browser.wait(done + " && location.hash.includes('moves=e2e4+g8f6&')")
    click("#flip")
    # A divide of an engine that captures nothing en passant, and its link in a new page.
    theirs = divide(2, "--fen", PAWNS)
    wrong = "\n".join(f"{m}: {int(n) - (m in ('a2a4', 'c2c4'))}" for m, n in theirs.items() if m != "Nodes searched")
    goto(game=0, fen=PAWNS, depth=2)
    browser.run(f"$('theirs').value = {json.dumps(wrong)}; $('compare').click()")
    browser.wait(f"{found}.includes('this divide is that of an engine that ')")
    assert "does not capture en passant" in browser.run(found), browser.run(found)
    link = browser.run("location.href")
    browser.call("Page.navigate", url="about:blank")
    browser.call("Page.navigate", url=link)
    browser.wait(f"{found}.includes('does not capture en passant')")
    if len(sys.argv) > 3:
        folder = pathlib.Path(sys.argv[3])
        folder.mkdir(parents=True, exist_ok=True)
        for width in (320, 390, 1280):
            for dark in (False, True):
                browser.picture(folder / f"page-{width}-{'dark' if dark else 'light'}.png", width, dark)
                if browser.run("document.documentElement.scrollWidth > innerWidth"):
                    raise SystemExit(f"browser.py: the page is wider than {width}")
    # What was pasted stays when the position changes, and is not compared with another one.
    browser.run("$('total').textContent = ''; $('fen').value = 'startpos'; $('fen').onchange()")
    browser.wait(done)
    assert browser.run("$('theirs').value") == wrong and not browser.run(found), browser.run(found)
    # What can't be read is an error at its field, and the board of before takes no moves.
    for state, field in (({"game": "1.5"}, "game"), ({"depth": "1e9"}, "depth"), ({"depth": "2.5"}, "depth"),
                         ({"fen": "8/8/8/8/8/8/8/9 w - - 0 1"}, "fen")):
        browser.run(f"location.hash = {json.dumps(urllib.parse.urlencode({'game': 0, 'depth': 2} | state))}")
        browser.wait(f"$('{field}-error').textContent && $('copy').disabled && !$('total').textContent")
        assert browser.run(f"$('{field}').getAttribute('aria-invalid')") == "true", field
        if field != "depth":
            assert not browser.run("$('board').firstChild || $('list').firstChild"), field
    goto(game=1, fen="startpos", depth=1)
    browser.run("$('number').value = 1000; $('number').onchange()")
    browser.wait("$('number-error').textContent")
    # What of a FEN is changed or ignored is told below it.
    goto(game=0, fen="4k3/8/8/8/8/8/8/4K3 w K - 0 1", depth=1)
    assert "castling" in browser.run("$('fen-warning').textContent")
    # A promotion asks for the piece; the piece that was chosen and its squares are marked.
    goto(game=0, fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1", depth=1)
    browser.wait("$('board').firstChild")
    browser.run("choose('a7')")
    assert browser.run("[document.querySelectorAll('.from').length, document.querySelectorAll('.to').length]") == [1, 1]
    browser.run("playTo('a8')")
    names = browser.run("[...document.querySelectorAll('#promotion button')].map(button => button.textContent)")
    assert sorted(names) == ["Cancel", "a8=B", "a8=N", "a8=Q+", "a8=R+"], names
    browser.run("$('total').textContent = ''; [...document.querySelectorAll('#promotion button')]"
                ".find(button => button.textContent === 'a8=N').click()")
    browser.wait(done + " && $('fen').value.startsWith('N3k3/')")
    # While it counts there is nothing to copy; Enter on a move keeps the focus in the list.
    goto(game=0, fen="startpos", depth=2)
    assert not browser.run("$('copy').disabled")
    browser.run("$('total').textContent = ''; const first = document.querySelector('#list button'); first.focus(); first.click()")
    browser.wait(done + " && document.activeElement.closest('#list')")
    goto(game=0, fen="startpos", depth=5)
    browser.run("$('totals').value = '4,865,351'; $('expect').click()")
    browser.wait(f"{found}.includes('does not capture en passant')")
    goto(game=2, fen="startpos", depth=3)
    same("xiangqi", divide(3, "--game", "xiangqi"))
    for letters, piece, name in (("letters", "H", "C2=5"), ("characters", "傌", "炮二平五")):
        browser.run(f"$('letters').value = '{letters}'; $('letters').onchange()")
        browser.wait(f"$('board').textContent.includes('{piece}') && $('list').textContent.includes('{name}')")
    goto(game=1, fen="startpos", depth=1)
    browser.run("$('total').textContent = ''; $('number').value = 0; $('number').onchange()")
    browser.wait(done + " && $('fen').value.startsWith('bbqnnrkr')")
    fen = browser.run("$('fen').value")
    goto(game=1, fen=fen, depth=3)
    same("Chess960", divide(3, "--chess960", "--fen", fen))
    browser.run("$('depth').value = 7; $('depth').onchange()")
    browser.wait("!$('cancel').hidden")
    click("#cancel")
    took = browser.wait(f"{total} === 'stopped' && $('copy').disabled")
    print(f"cancelled after {1000 * took:.0f} ms")
    goto(game=0, fen="startpos", depth=2)
    same("after the cancelled count", divide(2))
    suites = browser.run("unpacked('suites').json()")
    offered = browser.run("[...$('suite').options].map(option => option.value)")
    folder = pathlib.Path(__file__).resolve().parents[1] / "perft-suites"
    assert offered == list(suites) and all((folder / name).read_text() == text for name, text in suites.items()), offered
    for fault in browser.faults:
        raise SystemExit(f"browser.py: an error in the page: {fault}")
    browser.process.terminate()
    print("the page does what it should")


if __name__ == "__main__":
    main()
