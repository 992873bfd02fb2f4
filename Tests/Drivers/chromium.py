"""Drives a headless Chromium over the DevTools protocol, through pipes, so that it needs only Chromium."""

import base64
import importlib.util
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

ANSWERS_WITHIN = 300


class Navigated(RuntimeError):
    """The page was replaced while it was asked."""


def until(page, expression, seconds=60):
    """Waits until an expression is true on the page; false if that takes too long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if page.evaluate(expression):
                return True
        except Navigated:
            pass
        time.sleep(0.02)
    return False


class Browser:
    """One page of a headless Chromium."""

    def __init__(self, program, tells_requests=True):
        """With `tells_requests`, every request is an event, and so is every message of a socket with its bytes, which
        slows down a page that receives pixels through one."""
        self.profile = tempfile.mkdtemp(prefix="heicbench-browser-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def place_pipes():
            # Chromium reads commands from descriptor 3 and answers on 4. The detour keeps one from being
            # closed if the other already has its number.
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            close_fds=False, preexec_fn=place_pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.count, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log") + (("Network",) if tells_requests else ()):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                if "error" in answer:
                    kind = Navigated if "navigated or closed" in answer["error"]["message"] else RuntimeError
                    raise kind(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def read(self):
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], ANSWERS_WITHIN)[0]:
                raise RuntimeError(f"no answer from the browser in {ANSWERS_WITHIN} s")
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise RuntimeError("the browser went away")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, url, width, height, dark, ready="typeof data === 'object'"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)
        start = time.monotonic()
        self.call("Page.navigate", url=url)
        if not until(self, f"document.readyState === 'complete' && {ready}", 120):
            raise RuntimeError(f"{url} is not complete")
        return time.monotonic() - start

    def drag(self, selector, dx, dy):
        x, y = self.evaluate(
            f"(() => {{ const e = document.querySelector('{selector}'); e.scrollIntoView({{block: 'center'}});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 4]; })()")
        mouse = dict(button="left", buttons=1, clickCount=1, pointerType="mouse")
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **mouse)
        for step in (0.5, 1):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + dx * step, y=y + dy * step, **mouse)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + dx, y=y + dy, **mouse)

    def key(self, name, modifiers=0):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, modifiers=modifiers)

    def choose(self, identifier, value, event="change"):
        self.evaluate(f"(() => {{ const e = document.querySelector('{identifier}'); e.value = {json.dumps(value)};"
                      f" e.dispatchEvent(new Event('{event}', {{bubbles: true}})); }})()")

    def screenshot(self, path, most=8000):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = dict(x=0, y=0, width=size["width"], height=min(size["height"], most), scale=1)
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def audit(self, name):
        """Checks the current page with axe-core, which must find nothing serious or critical."""
        if not AXE:
            print(f"SKIPPED: {name} is not audited without axe-core; scripts/setup --tests gets it", flush=True)
            return
        if not self.evaluate("typeof axe === 'object'"):
            self.evaluate(AXE.read_text() + "; 0")
        found = self.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.filter((v) =>"
                              " ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 3)"
                              ".map((n) => `${n.target}: ${(n.any[0] || n.all[0] || n.none[0] || {}).message || ''}`)})`))")
        check(f"axe-core finds nothing serious on {name}" + "".join(f"\n          {line}" for line in found), not found)

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def find():
    """The path of Chromium, or None."""
    return next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)


def find_axe():
    """axe-core's source, from where scripts/setup puts it or from a Python package, or None."""
    root = pathlib.Path(__file__).resolve().parents[2]
    spec = importlib.util.find_spec("axe_playwright_python")
    places = [root / ".build/axe"] + [pathlib.Path(place) for place in (spec.submodule_search_locations if spec else [])]
    return next((place / "axe.min.js" for place in places if (place / "axe.min.js").is_file()), None)


AXE = find_axe()
FAILED = []


def check(what, holds):
    print(("ok      " if holds else "FAILED  ") + what, flush=True)
    if not holds:
        FAILED.append(what)
