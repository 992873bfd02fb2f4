"use strict";
// The blind test's page. It shows what the server sends and returns the person's answers. Which side is coded,
// qualities, sizes and scores stay on the server, and all pixels of a trial are drawn before any is shown.
(function () {
  const byId = (id) => document.getElementById(id);
  // Milliseconds per phase. Two phases are a cycle, so that nothing ever flickers faster than 5 Hz.
  const phase = 100;
  // Milliseconds of blank background between trials, so that one trial cannot be compared with the next.
  const blank = 400;
  const stage = byId("stage"), original = byId("original"), frame = byId("part");
  const planes = [...document.querySelectorAll(".side canvas")];
  const state = {
    socket: null, picture: 0, isOpened: false, part: [0, 0, 64, 64], begun: null, trial: null, shownAt: 0, toggledAt: 0,
    answeredAt: -blank, isPaused: false, ratio: 1,
  };

  // MARK: The wire

  function connect() {
    const socket = new WebSocket(new URL("socket", location.href.replace(/^http/, "ws")));
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => (typeof event.data === "string" ? take(JSON.parse(event.data)) : draw(event.data));
    socket.onclose = () => {
      clear();
      if (state.isReplaced) return;
      say("Connection lost; trying again …");
      setTimeout(connect, 1000);
    };
    state.socket = socket;
  }

  function send(message) {
    if (state.socket.readyState === WebSocket.OPEN) state.socket.send(JSON.stringify(message));
  }

  // The message about another page stays for good.
  const say = (text) => { if (!state.isReplaced) byId("status").textContent = text; };

  const takers = {
    hello(event) {
      const list = byId("picture");
      list.replaceChildren(...event.pictures.map((picture, index) => new Option(picture.name, index)));
      list.value = state.picture;
      byId("choice").hidden = event.pictures.length < 2;
      byId("aims").hidden = event.left === "original";
      say("opening the picture …");
      send({ type: "show", picture: state.picture });
    },
    replaced() {
      say("Another page has taken over; reload this one to continue here.");
      state.isReplaced = true;
      // Its trial cannot continue here.
      clear();
      state.trial = null;
      byId("paused").hidden = true;
    },
    opened(event) {
      if (event.picture !== state.picture) return;
      Object.assign(original, { width: event.width, height: event.height });
      state.isOpened = true;
      byId("begin").disabled = false;
      say("");
      // A test that was running when the connection broke continues.
      if (state.begun) send({ ...state.begun, fresh: false }); else fit();
    },
    suggested(event) {
      if (event.picture !== state.picture) return;
      say("This part changes most when compressed.");
      place(event.view[0], event.view[1]);
    },
    // Such a message may arrive after the first trial.
    preparing(event) { if (state.begun && !state.trial) say(`preparing: ${event.made} files made …`); },
    trial(event) {
      if (!state.begun) return;
      state.trial = event;
      byId("undo").disabled = !event.canUndo;
      byId("count").textContent = `${event.answered} ${event.answered === 1 ? "answer" : "answers"}, at most ${event.most}`;
      show("trial");
      arrange(event);
      setTimeout(reveal, Math.max(0, state.answeredAt + blank - performance.now()));
    },
    finished(event) {
      [state.begun, state.trial] = [null, null];
      byId("begin").disabled = false;
      byId("sentence").textContent = event.sentence;
      const row = (cells, name) => { const line = document.createElement("tr"); line.append(...cells.map((text) => Object.assign(document.createElement(name), { textContent: text }))); return line; };
      byId("table").replaceChildren(...event.table.map((cells, index) => row(cells, index === 0 ? "th" : "td")));
      byId("kept").textContent = `${event.kept} records every answer, without a name; delete the file to erase them. “heicbench report” shows the result beside a run's curves.`;
      say("");
      document.querySelector(".scroll").hidden = event.table.length === 0;
      show("result");
    },
    // An answer that could not be stored has to be given again.
    failed(event) {
      if (byId("trial").hidden) { say(event.message); byId("begin").disabled = !state.isOpened; } else pause(`${event.message} Press P or the button to continue.`);
    },
    ended(event) {
      [state.begun, state.trial] = [null, null];
      byId("paused").hidden = true;
      state.isPaused = false;
      show("setup");
      fit();
      say(event.message);
      byId("begin").disabled = !state.isOpened;
    },
  };

  function take(event) { if (takers[event.type]) takers[event.type](event); }

  // Pixels: of the original for the preview, or of a plane of a trial.
  function draw(data) {
    const head = new DataView(data), target = head.getUint8(1);
    const [x, y, width, height] = [8, 12, 16, 20].map((at) => head.getUint32(at, true));
    const pixels = new ImageData(new Uint8ClampedArray(data, 24), width, height);
    if (target === 0) return original.getContext("2d").putImageData(pixels, x, y);
    if (target < 4) return;
    const plane = planes[target - 4];
    Object.assign(plane, { width, height });
    plane.getContext("2d").putImageData(pixels, 0, 0);
  }

  function show(name) {
    for (const section of ["setup", "trial", "result"]) byId(section).hidden = section !== name;
  }

  // MARK: The part

  // The largest part that fits in the window twice side by side, in device pixels.
  function fit() {
    state.ratio = window.devicePixelRatio;
    const room = [(innerWidth - 32) / 2, innerHeight - 210].map((side) => Math.floor(side * state.ratio / 16) * 16);
    const [width, height] = room.map((side) => Math.max(64, Math.min(512, side)));
    state.part = [state.part[0], state.part[1], width, height];
    place((original.width - width) / 2, (original.height - height) / 2);
  }

  function place(x, y) {
    const [, , width, height] = state.part;
    const inside = (value, most) => Math.round(Math.max(0, Math.min(value, most)));
    state.part = [inside(x, original.width - width), inside(y, original.height - height), width, height];
    const scale = original.clientWidth / original.width;
    const box = [state.part[0], state.part[1], Math.min(width, original.width), Math.min(height, original.height)];
    for (const [index, side] of ["left", "top", "width", "height"].entries()) frame.style[side] = `${box[index] * scale}px`;
  }

  byId("preview").addEventListener("pointerdown", (event) => {
    byId("preview").setPointerCapture(event.pointerId);
    follow(event);
  });
  byId("preview").addEventListener("pointermove", (event) => { if (event.buttons) follow(event); });

  function follow(event) {
    const box = original.getBoundingClientRect(), scale = original.width / box.width;
    place((event.clientX - box.left) * scale - state.part[2] / 2, (event.clientY - box.top) * scale - state.part[3] / 2);
  }

  frame.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-32, 0], ArrowRight: [32, 0], ArrowUp: [0, -32], ArrowDown: [0, 32] }[event.key];
    if (!step) return;
    event.preventDefault();
    place(state.part[0] + step[0], state.part[1] + step[1]);
  });

  byId("picture").addEventListener("change", (event) => {
    // A test that failed or is being prepared is not begun again for the picture that it is not about.
    state.begun = null;
    state.picture = Number(event.target.value);
    byId("begin").disabled = true;
    state.isOpened = false;
    say("opening the picture …");
    send({ type: "show", picture: state.picture });
  });
  byId("suggest").addEventListener("click", () => { say("looking for a part …"); send({ type: "suggest", picture: state.picture, view: state.part }); });

  // MARK: The test

  // The reason why a pixel of the picture would not be a pixel of the screen; nothing if it is.
  function zoomProblem() {
    if (window.visualViewport && Math.abs(visualViewport.scale - 1) > 0.01) return "The page is pinch-zoomed: zoom out again, so that one pixel of the picture is one pixel of the screen.";
    const zoom = outerWidth / innerWidth;
    if (matchMedia("(pointer: fine)").matches && outerWidth > 0 && Math.abs(zoom - 1) > 0.05) return `The browser seems to zoom to ${Math.round(zoom * 100)} %: press Ctrl-0 and close panels next to the page, so that one pixel of the picture is one pixel of the screen.`;
    return null;
  }

  byId("begin").addEventListener("click", () => {
    const problem = zoomProblem();
    if (problem) return say(problem);
    // Pressing it again would prepare everything again.
    byId("begin").disabled = true;
    state.begun = {
      type: "begin", test: document.querySelector("[name=test]:checked").value, picture: state.picture, view: state.part, shown: document.querySelector("[name=shown]:checked").value,
      fresh: byId("fresh").checked, viewport: [innerWidth, innerHeight], ratio: window.devicePixelRatio,
    };
    const isEqual = state.begun.test === "equal";
    byId("question").textContent = isEqual ? `Which side is closer to the original${isFlicker() ? ", and flickers less" : ""}?` : isFlicker() ? "Which side flickers?" : "Which side is compressed?";
    document.querySelector("[data-answer=same]").hidden = !isEqual;
    byId("flip").hidden = !isEqual || isFlicker();
    say("preparing …");
    send(state.begun);
  });

  // Places both sides on whole device pixels, at 1:1.
  function arrange(trial) {
    state.ratio = window.devicePixelRatio;
    const [width, height] = [trial.width, trial.height].map((side) => side / state.ratio);
    const middle = stage.clientWidth / 2, origin = stage.getBoundingClientRect();
    const snap = (value, start) => Math.round((value + start) * state.ratio) / state.ratio - start;
    stage.style.height = `${Math.ceil(height) + 2}px`;
    for (const [side, x] of [["left", middle - width - 4], ["right", middle + 4]]) {
      byId(side).style.left = `${snap(x, origin.left)}px`;
      byId(side).style.top = `${snap(1, origin.top + scrollY) }px`;
    }
    for (const plane of planes) { plane.style.width = `${width}px`; plane.style.height = `${height}px`; }
  }

  function reveal() {
    if (!state.trial || state.isPaused) return;
    say("");
    [state.shownAt, state.toggledAt] = [performance.now(), performance.now()];
    stage.className = isFlicker() ? "first" : "second";
    requestAnimationFrame(tick);
  }

  const isFlicker = () => state.begun && state.begun.shown === "flicker";
  const isShown = () => stage.className !== "";

  function tick(now) {
    if (!isShown() || !isFlicker()) return;
    if (now - state.toggledAt >= phase) {
      stage.className = stage.className === "first" ? "second" : "first";
      state.toggledAt = now;
    }
    requestAnimationFrame(tick);
  }

  // Removes the planes from the screen.
  function clear() { stage.className = ""; }

  function answer(side) {
    if (!state.trial || !isShown()) return;
    const { number } = state.trial, milliseconds = Math.round(performance.now() - state.shownAt);
    clear();
    [state.trial, state.answeredAt] = [null, performance.now()];
    send({ type: "answer", number, answer: side, milliseconds });
  }

  // Switches both sides to the original and back by hand if two coded pictures do not flicker, but no faster than they
  // would.
  function flip() {
    if (byId("flip").hidden || !isShown() || performance.now() - state.toggledAt < phase) return;
    stage.className = stage.className === "first" ? "second" : "first";
    state.toggledAt = performance.now();
  }

  function undo() {
    if (byId("undo").disabled || !state.trial) return;
    clear();
    [state.trial, state.answeredAt] = [null, performance.now()];
    say("undone; it counts as a slip");
    send({ type: "undo" });
  }

  function pause(reason) {
    if (state.isReplaced) return;
    state.isPaused = true;
    clear();
    Object.assign(byId("paused"), { hidden: false, textContent: reason || "Pause. Press P or the button to continue." });
  }

  function resume() {
    const problem = zoomProblem();
    if (problem) return pause(problem);
    state.isPaused = false;
    byId("paused").hidden = true;
    if (state.trial) { arrange(state.trial); setTimeout(reveal, blank); }
  }

  for (const button of document.querySelectorAll("[data-answer]")) button.addEventListener("click", () => answer(button.dataset.answer));
  byId("undo").addEventListener("click", undo);
  byId("flip").addEventListener("click", flip);
  byId("pause").addEventListener("click", () => (state.isPaused ? resume() : pause()));
  byId("again").addEventListener("click", () => { show("setup"); fit(); });
  document.addEventListener("keydown", (event) => {
    if (byId("trial").hidden || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => answer("left"), ArrowRight: () => answer("right"), " ": flip,
      ArrowDown: () => { if (!document.querySelector("[data-answer=same]").hidden) answer("same"); }, u: undo, Backspace: undo,
      p: () => (state.isPaused ? resume() : pause()), Escape: () => pause(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    // The space bar already presses a focused button.
    if (act && !(event.key === " " && event.target.matches("button"))) { event.preventDefault(); act(); }
  });
  // Another window, screen or zoom changes the test, so it pauses until the pixels fit again.
  addEventListener("resize", () => {
    if (!byId("trial").hidden) pause(zoomProblem()); else if (!byId("setup").hidden && state.isOpened) fit();
  });
  document.addEventListener("visibilitychange", () => { if (document.hidden && isShown()) pause(); });
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) document.querySelector("[value=sides]").checked = true;
  connect();
})();
