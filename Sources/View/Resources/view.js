"use strict";
// The settings of a codec as controls, made from the codecs' own table: choices, switches and ranges. As text they are
// spelled as for `--codec`, `key=value,…`, without the codec's defaults.
const settings = (function () {
  function parse(text) {
    return new Map(text.split(",").filter(Boolean).map((item) => {
      const [key, value] = item.split(/=(.*)/s);
      return [key, value ?? "true"];
    }));
  }

  // The settings that apply together with the chosen values, one for each key.
  function applying(codec, values) {
    const value = (key) => values.get(key) ?? codec.settings.find((setting) => setting.key === key)?.defaultValue;
    return codec.settings.filter((setting) => Object.entries(setting.needs).every(([key, needed]) => needed.includes(value(key))));
  }

  // Leaves out values that no longer apply together with others, and defaults.
  function spell(codec, values) {
    const known = new Map(applying(codec, values).map((setting) => [setting.key, setting]));
    const isKept = ([key, value]) => {
      const setting = known.get(key);
      if (!setting) return key.includes(":") && [...known.values()].some(({ values: { passThrough } }) => passThrough && key.startsWith(passThrough.prefix));
      return setting.defaultValue !== value && (setting.values.choice?._0.includes(value) ?? true);
    };
    return [...values].filter(isKept).map(([key, value]) => `${key}=${value}`).join(",");
  }

  // The settings of a quick encode: the chosen ones except those that cost time.
  const quick = (codec, text) => (codec.quick ? spell(codec, new Map([...parse(text), ...parse(codec.quick)])) : text);

  // The chosen values of the settings that a quick encode replaces: `preset=slow`.
  function speed(codec, text) {
    const values = parse(text), usual = (key) => codec.settings.find((setting) => setting.key === key)?.defaultValue;
    return [...parse(codec.quick).keys()].map((key) => `${key}=${values.get(key) ?? usual(key)}`).join(",");
  }

  function made(name, properties) { return Object.assign(document.createElement(name), properties); }

  // A control and a way to read its value.
  function control(setting, value) {
    const { choice, integer, flag } = setting.values;
    if (choice) {
      const list = made("select", {});
      list.append(...choice._0.map((word) => new Option(word, word)));
      list.value = value;
      return [list, () => list.value];
    }
    if (flag) {
      const box = made("input", { type: "checkbox", checked: value === "true" });
      return [box, () => String(box.checked)];
    }
    const [least, most] = integer._0, isShort = most - least <= 16;
    const field = made("input", { type: isShort ? "range" : "number", min: least, max: most, step: 1, value });
    // An empty or impossible number means the default.
    return [field, () => (field.value !== "" && field.validity.valid ? field.value : setting.defaultValue)];
  }

  // Fills a box with a codec's controls; `changed` gets the text after each change.
  function fill(box, codec, text, changed) {
    const values = codec ? parse(text) : new Map();
    const all = codec ? applying(codec, values).filter((setting) => !setting.values.passThrough) : [];
    // Switches come together after the other controls.
    const typed = [...all.filter((setting) => !setting.values.flag), ...all.filter((setting) => setting.values.flag)];
    box.replaceChildren(...typed.map((setting) => {
      const value = values.get(setting.key) ?? setting.defaultValue;
      const [field, read] = control(setting, value);
      const label = made("label", { className: `setting ${field.type === "checkbox" ? "switch" : ""}`, title: `${setting.summary} (default: ${setting.defaultValue})` });
      const name = made("span", { textContent: setting.key.replaceAll("-", " ") });
      field.dataset.key = setting.key;
      label.classList.toggle("changed", value !== setting.defaultValue);
      if (field.type === "range") {
        const shown = made("output", { textContent: value });
        field.addEventListener("input", () => { shown.textContent = field.value; });
        name.append(" ", shown);
      }
      field.addEventListener("change", () => {
        const now = read();
        label.classList.toggle("changed", now !== setting.defaultValue);
        values.set(setting.key, now);
        const text = spell(codec, values);
        // A different encoder has different settings.
        if (codec.settings.some((other) => setting.key in other.needs)) fill(box, codec, text, changed);
        changed(text);
      });
      if (field.type === "checkbox") label.append(field, name); else label.append(name, field);
      return label;
    }));
  }

  return { fill, quick, speed };
})();

// The comparer. Every move of a slider has a number; pixels and figures carry the number of their move, and those of
// older moves are dropped. A canvas is cleared when the first pixels of a newer move arrive, and its label changes in
// the same step, so that no picture appears under another's label.
//
// A side is encoded in stages: `live`, in pieces while its slider moves, and `quick`, a whole file, both with the
// codec's fastest settings, which the bar names; then `final`, with the chosen settings.
(function () {
  const byId = (id) => document.getElementById(id);
  const sides = ["left", "right"], other = { left: "right", right: "left" };
  const canvases = ["original", "left", "right"].map((name) => byId(`canvas-${name}`));
  // While a slider moves, the first move is sent at once and later ones no more often than this, milliseconds.
  const pace = 50;
  // Points of SSIMULACRA2: scores this close count as equal; this close is enough for a quick search, which only shows
  // where to try the chosen settings first; and within the last distance no quick search is needed.
  const near = 0.5, roughly = 1.5, nearby = 3;
  const state = {
    socket: null, names: [], codecs: [], roots: [], builds: [], picture: null, wanted: -1, number: 0, awaited: [],
    lead: null, sides: { left: fresh(), right: fresh() },
  };
  const reduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const isNarrow = window.matchMedia("(max-width: 719px)");

  function fresh() {
    // `number` is the newest move, `drawn` the move whose pixels are on the canvas. `leads` is true if the person set
    // this side's quality; the other side then follows.
    return {
      codec: "original", settings: "", quality: 0.6, number: 0, drawn: 0, stage: "final", spelled: "", goal: null, tries: 0,
      sentAt: 0, later: null, facts: {}, isDone: false, leads: false, found: null,
    };
  }

  // MARK: The wire

  function connect() {
    const socket = new WebSocket(new URL("socket", location.href.replace(/^http/, "ws")));
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => (typeof event.data === "string" ? take(JSON.parse(event.data)) : paint(event.data));
    socket.onclose = () => {
      if (state.isReplaced) return;
      say("Connection lost; trying again …");
      setTimeout(connect, 1000);
    };
    state.socket = socket;
  }

  function send(message) {
    if (state.socket && state.socket.readyState === WebSocket.OPEN) state.socket.send(JSON.stringify(message));
  }

  const takers = {
    hello(event) {
      state.names = event.pictures.map((picture) => picture.name);
      state.codecs = event.codecs; state.roots = event.roots; state.builds = event.builds; state.mostBytes = event.mostBytes;
      fillCodecs(event);
      gallery.begin(state.names, (wanted) => send({ type: "thumbnails", pictures: wanted }), show);
      say(count());
      const again = state.wanted;
      state.picture = null; state.wanted = -1;
      if (state.names.length) show(Math.min(Math.max(again, 0), state.names.length - 1));
      tell();
      wake();
    },
    replaced() {
      say("Another page has taken over; reload this one to continue here.");
      state.isReplaced = true;
    },
    added(event) {
      const names = event.pictures.map((picture) => picture.name);
      state.names = state.names.concat(names);
      gallery.add(names);
      say(count());
      tell();
      wake();
    },
    opened(event) {
      if (event.picture !== state.wanted) return;
      const isSame = state.picture && state.picture.picture === event.picture;
      state.picture = event;
      trouble(null);
      opening();
      state.unpainted = event.width * event.height;
      for (const canvas of canvases) { canvas.width = event.width; canvas.height = event.height; }
      // If the picture was prepared again for another codec, both sides are made again.
      for (const side of sides) Object.assign(state.sides[side], { drawn: 0, isDone: false });
      // Files of differently prepared pixels cannot be compared.
      tried.clear(event);
      byId("picture-facts").textContent = byId("picture-facts").title = [
        `${event.width} × ${event.height}`, `${formatName(event.format)}, ${bytesText(event.fileBytes)}`, event.profile, ...event.steps].join(" · ");
      stage.place();
      if (!isSame) sides.forEach(start);
      tell();
    },
    progress(event) {
      const side = current(event);
      if (!side) return;
      Object.assign(side.facts, { quality: event.quality, progress: event });
      tell();
    },
    whole(event) {
      const side = current(event);
      if (!side) return;
      // Its label waits for its pixels if there are none yet.
      if (side.drawn !== event.number) { side.held = event; return; }
      // A search shows one try after another under the same number.
      if (side.facts.quality !== event.quality) clear(event.side, event.number);
      Object.assign(side.facts, { quality: event.quality, whole: event, progress: null, decoded: null, scored: null });
      tell();
    },
    decoded(event) {
      const side = current(event);
      if (!side) return;
      side.facts.decoded = event;
      tell();
    },
    scored(event) {
      const side = current(event);
      if (!side) return;
      tried.add({ side: event.side, codec: side.spelled, name: nameOf(side, side.spelled), look: codecOf(side), quality: event.quality, bytes: event.bytes, scores: event.scores, encodeCPU: event.encodeCPU });
      // A search may report the score of an earlier try whose pixels are not shown.
      if (side.facts.number === event.number && side.facts.quality === event.quality) side.facts.scored = event;
      if (!event.isFinal) side.tries += 1;
      else {
        if (side.goal) setQuality(event.side, event.quality);
        if (side.stage !== "live") advance(event.side);
      }
      tell();
    },
    failed(event) {
      if (event.side) {
        const side = state.sides[event.side];
        if (event.number !== side.number) return;
        clear(event.side, event.number);
        // A side that cannot be searched, because a tiny picture has no score, can still be shown at its quality.
        if (side.goal) { request(event.side, "quick"); return; }
        side.facts = { number: event.number, error: event.message };
        tell();
      } else if (event.thumbnail !== undefined) gallery.fail(event.thumbnail, event.message);
      else if (event.picture !== undefined) {
        if (event.picture !== state.wanted) return;
        state.refused = event.picture;
        opening();
        empty();
        trouble(`${state.names[event.picture]} cannot be shown: ${event.message}.${state.names.length > 1 ? " The others can." : ""}`);
        tell();
      } else say(event.message);
    },
  };

  // Uploads go on once their picture is listed: by its own message, or by the list of a new connection.
  function wake() { for (const listed of state.awaited.splice(0)) listed(); }

  function take(event) {
    const taker = takers[event.type];
    if (taker) taker(event);
  }

  // The side of an event, if the event belongs to its newest move.
  function current(event) {
    const side = state.sides[event.side];
    return side && event.number === side.number ? side : null;
  }

  // Pixels: a header of 24 bytes, then red, green, blue and alpha.
  function paint(buffer) {
    const header = new DataView(buffer, 0, 24);
    const [canvas, id, x, y, width, height] = [header.getUint8(1), ...[4, 8, 12, 16, 20].map((at) => header.getUint32(at, true))];
    const image = new ImageData(new Uint8ClampedArray(buffer, 24, width * height * 4), width, height);
    if (canvas === 3) {
      gallery.fill(id, image);
      if (id === state.wanted) opening();
      return;
    }
    if (!state.picture) return;
    if (canvas === 0) {
      if (id !== state.picture.picture) return;
      canvases[0].getContext("2d").putImageData(image, x, y);
      state.unpainted -= width * height;
      // The old pixels stay visible behind the new ones, as long as they cover the same place.
      if (state.unpainted <= 0 || stage.view.zoom !== "fit") byId("preview").hidden = true;
      return;
    }
    const name = sides[canvas - 1], side = state.sides[name];
    if (id !== side.number) return;
    if (side.drawn !== id) clear(name, id);
    canvases[canvas].getContext("2d").putImageData(image, x, y);
    if (!side.paintedAt) {
      side.paintedAt = performance.now();
      canvases[canvas].dataset.milliseconds = (side.paintedAt - side.sentAt).toFixed(1);
    }
  }

  // Clears a side's canvas for a move; its label changes with it.
  function clear(name, number) {
    const canvas = byId(`canvas-${name}`), side = state.sides[name];
    canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    canvas.dataset.number = String(number);
    side.drawn = number;
    side.facts = { number, spelled: side.spelled, quick: side.spelled !== spelling(side) ? codecOf(side)?.quick : null };
    if (side.held?.number === number) Object.assign(side.facts, { quality: side.held.quality, whole: side.held });
    side.held = null;
    tell();
  }

  // MARK: Requests

  function show(index) {
    if (isNarrow.matches) openSheet(null);
    if (index < 0 || index >= state.names.length || index === state.wanted) return;
    state.wanted = index;
    stage.home();
    gallery.mark(index);
    nameText(state.names[index]);
    say(count());
    // Until the picture is opened there is nothing to move, even if it was shown earlier.
    state.picture = null;
    state.refused = null;
    trouble(null);
    opening();
    for (const name of sides) {
      const side = state.sides[name];
      clearTimeout(side.later);
      Object.assign(side, { number: 0, facts: {}, held: null, goal: null, isDone: false, leads: false });
    }
    tell();
    send({ type: "show", picture: index });
  }

  // A name in two parts: the beginning is shortened if there is no room, and the end with the suffix stays.
  function nameText(name) {
    const [head, tail] = ["head", "tail"].map((part) => Object.assign(document.createElement("span"), { className: part }));
    const letters = [...name], cut = Math.max(0, letters.length - 12);
    head.textContent = letters.slice(0, cut).join("");
    tail.textContent = letters.slice(cut).join("");
    byId("image-name").replaceChildren(head, tail);
    byId("image-name").title = name;
  }

  // While a picture is being opened, its thumbnail is shown with a note. After that the thumbnail stays below it until
  // the picture's own pixels arrive.
  function opening() {
    const isWaiting = state.wanted >= 0 && !state.picture && state.refused !== state.wanted;
    const line = byId("opening"), preview = byId("preview"), small = gallery.thumbnail(state.wanted);
    byId("stage").classList.toggle("waiting", isWaiting);
    line.hidden = !isWaiting;
    line.textContent = isWaiting ? `opening ${state.names[state.wanted].split("/").pop()} …` : "";
    if (!isWaiting) { if (!state.picture) preview.hidden = true; return; }
    preview.hidden = !small;
    if (!small) return;
    preview.width = small.width; preview.height = small.height;
    preview.getContext("2d").drawImage(small, 0, 0);
  }

  // Shows nothing if the wanted picture cannot be shown, since another one would appear under its name.
  function empty() {
    for (const canvas of canvases) canvas.width = canvas.height = 1;
    for (const name of sides) byId(`tag-${name}`).textContent = "";
    byId("picture-facts").textContent = "";
    tried.clear(null);
  }

  const codecOf = (side) => state.codecs.find((codec) => codec.id === side.codec);
  const spelling = (side, text = side.settings) => (text ? `${side.codec}:${text}` : side.codec);
  const isEncoded = (name) => state.sides[name].codec !== "original";
  const scoreOf = (name) => state.sides[name].facts.scored?.scores.ssimulacra2;

  // Requests a side at its quality, or at the quality with a score or size.
  function request(name, stageName, goal = null) {
    const side = state.sides[name], codec = codecOf(side);
    clearTimeout(side.later);
    if (!state.picture || !codec) {
      side.number = 0;
      if (state.picture) send({ type: "original", side: name });
      tell();
      return;
    }
    const quick = spelling(side, settings.quick(codec, side.settings)), chosen = spelling(side);
    const isFinal = stageName === "final" || (stageName === "quick" && quick === chosen);
    // A picture that replaces a very similar one appears in one step.
    const replaces = (goal !== null || stageName === "final") && side.drawn !== 0 && !side.facts.error;
    Object.assign(side, {
      stage: isFinal ? "final" : stageName, goal, spelled: isFinal ? chosen : quick, speed: settings.speed(codec, side.settings),
      number: ++state.number, sent: side.quality, sentAt: performance.now(), paintedAt: 0, tries: 0, isDone: false,
    });
    send({
      type: "move", side: name, number: side.number, picture: state.picture.picture, codec: side.spelled, quality: side.quality,
      view: stage.visible(), settled: stageName !== "live", pieces: !replaces, ...goal,
      ...(goal?.nearest && !isFinal ? { nearest: roughly } : {}),
    });
    tell();
  }

  // Makes a side again after its codec, its settings or the picture changed, at the score to keep.
  function start(name) {
    Object.assign(state.sides[name], { leads: false, found: null });
    request(name, "quick", byId("hold").checked ? aim(goalScore()) : null);
  }

  // Moves that follow each other faster than the pace wait; the newest wins.
  function live(name) {
    const side = state.sides[name], wait = side.sentAt + pace - performance.now();
    clearTimeout(side.later);
    // Work still in progress does not change a moving slider or start another stage.
    Object.assign(side, { stage: "live", goal: null, isDone: false });
    if (wait > 0) side.later = setTimeout(() => request(name, "live"), wait);
    else request(name, "live");
  }

  // The slider rests: the move in progress becomes a whole file, or a last move is sent.
  function settle(name) {
    const side = state.sides[name];
    const isSent = side.number !== 0 && side.stage === "live" && side.sent === side.quality;
    lead(name);
    if (!byId("whole").checked) { if (!isSent) request(name, "live"); return; }
    if (!isSent) { request(name, "quick"); return; }
    clearTimeout(side.later);
    send({ type: "settle", side: name, number: side.number });
    side.stage = side.spelled === spelling(side) ? "final" : "quick";
    // A picture with one piece is already a whole file.
    if (side.facts.number === side.number && side.facts.scored) advance(name);
    tell();
  }

  const shifts = new Map();

  // The next stage, once a whole file is scored. If the person set this side, the other follows.
  function advance(name) {
    const side = state.sides[name], score = scoreOf(name);
    if (side.stage === "final") {
      side.isDone = true;
      // If the chosen settings need a different quality than the quick ones, they will for the next picture, too.
      if (side.goal?.nearest && side.found !== null) shifts.set(spelling(side), side.quality - side.found);
    } else {
      side.found = side.goal?.nearest ? side.quality : null;
      if (side.found !== null) setQuality(name, Math.min(1, Math.max(0, side.found + (shifts.get(spelling(side)) ?? 0))));
      request(name, "final", side.goal);
    }
    if (!side.leads || !byId("hold").checked || typeof score !== "number") return;
    tellGoal(score);
    follow(other[name], score);
  }

  // MARK: The same score for both

  const aim = (score) => ({ score, nearest: near });
  const goalScore = () => Math.min(99, Math.max(0, Number(byId("goal").value) || 0));
  const tellGoal = (score) => { byId("goal").value = String(Math.round(Math.max(0, score) * 10) / 10); };

  function lead(name) {
    state.lead = name;
    for (const side of sides) state.sides[side].leads = side === name;
  }

  // Searches for the quality of a side with a score, unless it has that score or is about to.
  function follow(name, score) {
    const side = state.sides[name], own = scoreOf(name);
    const away = typeof own === "number" && side.facts.number === side.number ? Math.abs(own - score) : Infinity;
    const isAsked = side.goal?.nearest && Math.abs(side.goal.score - score) <= near / 2;
    if (!isEncoded(name) || isAsked || (side.isDone && away <= near)) return;
    Object.assign(side, { leads: false, found: null });
    request(name, side.stage === "final" && away <= nearby ? "final" : "quick", aim(score));
  }

  byId("hold").addEventListener("change", (event) => {
    if (!event.target.checked) return;
    // The side that was moved last stays as it is, and the other follows.
    const known = [state.lead, ...sides].filter((name) => name && isEncoded(name) && typeof scoreOf(name) === "number");
    if (known.length) tellGoal(scoreOf(known[0]));
    for (const name of sides) if (name !== known[0]) follow(name, known.length ? scoreOf(known[0]) : goalScore());
  });
  byId("goal").addEventListener("change", () => {
    tellGoal(goalScore());
    byId("hold").checked = true;
    for (const name of sides) follow(name, goalScore());
  });

  // MARK: Messages and figures

  // A message stays until the next one, and the one about another page for good; the number of pictures is only for
  // screen readers.
  const say = (text) => {
    if (state.isReplaced) return;
    byId("status").textContent = text;
    byId("status").classList.toggle("unseen", text === count());
  };
  const count = () => `${state.names.length} ${state.names.length === 1 ? "picture" : "pictures"}`;
  const number = (value, decimals = 0) => value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const bytesText = (bytes) => (!Number.isFinite(bytes) ? "–" : bytes < 1000 ? `${bytes} B` : bytes < 1e4 ? `${number(bytes / 1000, 1)} kB` : bytes < 1e6 ? `${number(bytes / 1000)} kB` : `${number(bytes / 1e6, 2)} MB`);
  const milliseconds = (value) => `${number(value, value < 10 ? 1 : 0)} ms`;
  const short = (title) => title.replace(/ \(.*?\)/, "");
  const nameOf = (side, spelled) => short(codecOf(side).title) + spelled.replace(/^[^:]*:?(.*)$/s, (_, text) => text && ` (${text})`);
  const titleOf = (side) => short(codecOf(side)?.title ?? "original");
  const formatName = (id) => short(state.codecs.find((codec) => codec.id === id)?.title ?? id.toUpperCase());

  function trouble(text) {
    byId("problem").hidden = !text;
    byId("problem").textContent = text || "";
  }

  function term(name, value, isEstimate) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name; dd.textContent = value.replaceAll(" %", "\u00a0%");
    if (isEstimate) dd.className = "estimate";
    return [dt, dd];
  }

  function tell() {
    // A single file that is not a picture counts as no picture.
    const isEmpty = !state.names.length || (state.names.length === 1 && state.refused === state.wanted);
    document.body.classList.toggle("empty", isEmpty);
    byId("welcome").hidden = !isEmpty;
    // Controls are disabled until there is something to move.
    for (const part of [byId("bars"), ...document.querySelectorAll(".looking, #sheet-take")]) part.inert = isEmpty || state.refused === state.wanted;
    document.querySelector(".sheets").inert = isEmpty;
    byId("previous").disabled = state.wanted <= 0;
    byId("next").disabled = state.wanted >= state.names.length - 1;
    for (const name of sides) {
      const side = state.sides[name], field = byId(name), facts = side.facts, picture = state.picture;
      const isOriginal = side.codec === "original";
      byId(`layer-${name}`).classList.toggle("original", isOriginal);
      field.classList.toggle("is-original", isOriginal);
      field.dataset.stage = isOriginal || side.isDone ? "done" : side.stage;
      field.querySelector(".quality").disabled = isOriginal;
      const isUnderWay = !isOriginal && side.number && side.drawn !== side.number && !facts.error;
      const wanted = isOriginal ? "" : side.quality.toFixed(2) + (isUnderWay ? " …" : "");
      field.querySelector(".wanted").textContent = wanted;
      field.querySelector(".quality").setAttribute("aria-valuetext", wanted);
      sums(name);
      const list = field.querySelector(".facts"), rows = !picture ? [] : isOriginal ? term("what", "the pixels that go into every codec") : figures(name);
      // The content below must not jump while a picture is being opened.
      list.style.minHeight = rows.length ? "" : `${list.offsetHeight}px`;
      list.replaceChildren(...rows);
      const link = field.querySelector(".download");
      link.classList.toggle("unmade", !facts.whole);
      if (facts.whole) link.href = `file?side=${name}&number=${facts.whole.number}`;
      if (!picture) continue;
      const canvas = byId(`canvas-${name}`);
      const label = isOriginal ? "original" : facts.quality === undefined ? nameOf(side, spelling(side)) : `${nameOf(side, facts.spelled)} at ${facts.quality.toFixed(2)}`;
      canvas.dataset.quality = facts.quality ?? "";
      canvas.setAttribute("aria-label", `${state.names[picture.picture]}, ${label}`);
      byId(`tag-${name}`).textContent = label;
    }
    byId("verdict").textContent = verdict();
    byId("verdict").classList.toggle("estimate", sides.some((name) => isEncoded(name) && !state.sides[name].isDone));
  }

  // The bar's three figures and the line below them, for the pixels that are shown.
  function sums(name) {
    const field = byId(name), { facts, codec } = state.sides[name], picture = state.picture;
    const isOriginal = codec === "original", estimate = facts.progress?.estimate;
    const bytes = !picture ? undefined : isOriginal ? picture.fileBytes : facts.whole?.bytes ?? estimate, score = scoreOf(name);
    const about = !isOriginal && !facts.whole && bytes !== undefined ? "≈ " : "";
    const put = (kind, text, isEstimate) => {
      const place = field.querySelector(`.${kind}`);
      place.textContent = text;
      place.classList.toggle("estimate", isEstimate);
    };
    const isEarly = !isOriginal && (Boolean(about) || Boolean(facts.quick));
    put("size", bytes === undefined ? "–" : about + bytesText(bytes), isEarly);
    put("share", bytes === undefined ? "–" : `${about}${number((100 * bytes) / picture.fileBytes, bytes < picture.fileBytes / 10 ? 1 : 0)} %`, isEarly);
    put("score", typeof score === "number" ? score.toFixed(1) : facts.whole && !facts.scored ? "…" : "–", isEarly);
    const note = field.querySelector(".note"), text = noteText(name);
    note.textContent = note.title = text;
    note.classList.toggle("error", Boolean(facts.error));
  }

  function noteText(name) {
    const side = state.sides[name], { facts, goal, speed } = side;
    if (!state.picture) return "";
    if (side.codec === "original") return `your file, unchanged: ${state.picture.width} × ${state.picture.height}, ${formatName(state.picture.format)}, ${state.picture.profile}`;
    if (facts.error) return `${facts.error.replace(/\.?$/, ".")} Try another quality, setting or codec.`;
    const isQuick = side.spelled !== spelling(side), quickly = isQuick ? ` with ${codecOf(side).quick}` : "";
    const target = goal?.bytes ? bytesText(goal.bytes) : goal ? `score ${number(goal.score, 1)}` : "";
    if (side.isDone) {
      const { whole, decoded, scored } = facts;
      const missed = scored && !scored.isReached ? `${target} is out of reach · ` : "";
      return `${missed}${speed ? `${speed} · ` : ""}${whole ? `encode ${milliseconds(whole.encodeCPU)}` : ""}${decoded ? `, decode ${milliseconds(decoded.decodeCPU)}` : ""} of CPU`;
    }
    if (side.stage === "live") return `live${quickly}${byId("whole").checked && isQuick ? `; ${speed} when you let go` : ""}`;
    if (target) return `searching for ${target}${quickly || (speed ? ` with ${speed}` : "")}${side.tries ? `, try ${side.tries + 1}` : ""} …`;
    if (facts.quick && !isQuick) return `shown ${facts.quick}; encoding with ${speed} …`;
    return `encoding${quickly || (speed ? ` with ${speed}` : "")} …`;
  }

  // The answer in a sentence: how many bytes each side takes at the same score.
  function verdict() {
    const picture = state.picture;
    if (!picture) return "";
    const shown = sides.filter(isEncoded), measured = shown.filter((name) => state.sides[name].facts.whole);
    if (!shown.length) return "Choose a codec for one of the sides.";
    if (measured.length < shown.length) return "";
    const bytes = (name) => (isEncoded(name) ? state.sides[name].facts.whole.bytes : picture.fileBytes);
    const isOneCodec = state.sides.left.codec === state.sides.right.codec;
    const title = (name) => (!isEncoded(name) ? "your file" : isOneCodec ? `the ${name} side` : titleOf(state.sides[name]));
    const [subject, base] = shown.length === 2 && bytes("left") < bytes("right") ? sides : isEncoded("right") ? ["right", "left"] : sides;
    const early = shown.map((name) => state.sides[name].facts).find((facts) => facts.quick);
    const change = bytes(subject) / bytes(base) - 1, percent = `${number(100 * Math.abs(change), Math.abs(change) < 0.1 ? 1 : 0)} %`;
    const relation = change === 0 ? "as large as" : `${percent} ${change < 0 ? "smaller" : "larger"} than`;
    const sizes = `${title(subject)} is ${relation} ${title(base)}`;
    const scores = shown.map(scoreOf);
    if (!scores.every((score) => typeof score === "number")) {
      return shown.every((name) => state.sides[name].facts.scored) ? "This picture is too small to be scored." : "";
    }
    const both = scores.map((score) => score.toFixed(1)).join(" and "), apart = Math.abs(scores[0] - scores[1]);
    if (apart > 3) return `The scores, ${both}, are too far apart to compare sizes.`;
    const where = shown.length === 1 ? `At SSIMULACRA2 ${both},` : apart <= 1 ? `At the same score, ${both},` : `Not quite the same score (${both}):`;
    return `${early ? `So far, with ${early.quick}: ` : ""}${where} ${sizes}.`;
  }

  function figures(name) {
    const side = state.sides[name], { whole, progress, decoded, scored } = side.facts, pixels = state.picture.width * state.picture.height;
    const rows = [];
    if (whole) {
      rows.push(...term("size", `${number(whole.bytes)} bytes, ${((whole.bytes * 8) / pixels).toFixed(3)} bits per pixel`), ...term("ratio", ratios(name, whole.bytes)));
      rows.push(...term("encode", `${milliseconds(whole.encodeCPU)} of CPU time, ${milliseconds(whole.encodeWall)} elapsed`));
      rows.push(...term("decode", decoded ? `${milliseconds(decoded.decodeCPU)} of CPU time, ${milliseconds(decoded.decodeWall)} elapsed` : "…"));
    } else if (progress) {
      const margin = progress.margin ? ` ± ${bytesText(progress.margin)}` : "";
      if (Number.isFinite(progress.estimate)) rows.push(...term("size", `about ${bytesText(progress.estimate)}${margin}, ${((progress.estimate * 8) / pixels).toFixed(2)} bits per pixel`, true), ...term("ratio", ratios(name, progress.estimate), true));
      rows.push(...term("pieces", `${progress.pieces} of ${progress.of}, ${bytesText(progress.bytes)} so far`));
      rows.push(...term("encode", `${milliseconds(progress.encodeCPU)} of CPU time so far; first pixels after ${milliseconds(progress.firstMilliseconds)}`));
    }
    if (scored) {
      const { ssimulacra2, "psnr-y": psnr } = scored.scores;
      const missed = scored.isFinal && !scored.isReached ? "; the requested value is out of reach" : "";
      rows.push(...term("SSIMULACRA2", typeof ssimulacra2 === "number" ? `${ssimulacra2.toFixed(2)}${missed}` : "not defined for pictures this small"));
      rows.push(...term("PSNR-Y", typeof psnr === "number" ? `${psnr.toFixed(2)} dB` : "no error"));
      for (const [title, text] of scored.further) rows.push(...term(title, text));
    } else if (whole) rows.push(...term("SSIMULACRA2", "…"));
    return rows;
  }

  function ratios(name, bytes) {
    const text = [`${number(state.picture.rawBytes / bytes, 1)} : 1 compared with raw pixels`, `${number((100 * bytes) / state.picture.fileBytes, 1)} % of your file`];
    const opposite = state.sides[other[name]].facts.whole;
    if (opposite) text.push(`${bytes <= opposite.bytes ? "−" : "+"}${number(Math.abs(100 * (bytes / opposite.bytes - 1)), 1)} % against the other side`);
    return text.join(", ");
  }

  function setQuality(name, quality) {
    const side = state.sides[name];
    side.quality = quality; side.sent = quality;
    byId(name).querySelector(".quality").value = String(Math.round(quality * 100));
  }

  // MARK: Controls

  function fillCodecs(event) {
    for (const name of sides) {
      const chooser = byId(name).querySelector(".codec"), side = state.sides[name];
      if (chooser.children.length) continue;
      const known = [{ id: "original", title: "original" }, ...state.codecs];
      chooser.append(...known.map((codec) => Object.assign(new Option(short(codec.title), codec.id), { title: codec.title })));
      const [id, text] = event[name].split(/:(.*)/s);
      side.codec = id; side.settings = text || "";
      chooser.value = id;
      fillSettings(name);
    }
  }

  function fillSettings(name) {
    const field = byId(name), side = state.sides[name], codec = codecOf(side);
    field.dataset.codec = side.codec.split("@")[0];
    field.querySelector(".about").textContent = codec ? codec.title : "The original";
    for (const part of field.querySelectorAll("details, .row")) part.hidden = !codec;
    const text = field.querySelector(".settings");
    text.value = side.settings;
    settings.fill(field.querySelector(".options"), codec, side.settings, (spelled) => {
      side.settings = text.value = spelled;
      start(name);
    });
  }

  function choose(name, codec, text) {
    const canvas = byId(`canvas-${name}`);
    Object.assign(state.sides[name], { codec, settings: text, facts: {}, drawn: 0 });
    byId(name).querySelector(".codec").value = codec;
    canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    fillSettings(name);
    start(name);
  }

  for (const name of sides) {
    const field = byId(name), side = state.sides[name];
    field.append(byId("side").content.cloneNode(true));
    setQuality(name, side.quality);
    field.querySelector(".codec").addEventListener("change", (event) => choose(name, event.target.value, ""));
    field.querySelector(".across").addEventListener("click", () => choose(other[name], side.codec, side.settings));
    field.querySelector(".settings").addEventListener("change", (event) => {
      side.settings = event.target.value.trim();
      fillSettings(name);
      start(name);
    });
    const slider = field.querySelector(".quality");
    slider.setAttribute("aria-label", `Quality, ${name}`);
    slider.addEventListener("input", () => {
      side.quality = Number(slider.value) / 100;
      lead(name);
      live(name);
    });
    slider.addEventListener("change", () => settle(name));
    field.querySelector(".same-size").addEventListener("click", () => {
      const size = state.sides[other[name]].facts.whole?.bytes ?? (isEncoded(other[name]) ? null : state.picture?.fileBytes);
      if (!size) return;
      // Sizes and scores cannot both be equal.
      byId("hold").checked = false;
      request(name, "quick", { bytes: size });
    });
    field.querySelector(".same-score").addEventListener("click", () => {
      const score = isEncoded(other[name]) ? scoreOf(other[name]) : goalScore();
      if (typeof score === "number") follow(name, score);
    });
    field.querySelector("details").addEventListener("toggle", (event) => event.target.scrollIntoView({ block: "nearest" }));
    field.querySelector(".open").addEventListener("click", () => openPanel(name, field.querySelector(".panel").hidden));
  }

  // MARK: Panels over the picture

  const sheetButtons = [...document.querySelectorAll(".sheets button")];

  function openPanel(name, isOpen) {
    const field = byId(name);
    // A phone has room for only one.
    if (isOpen && isNarrow.matches) closeAll();
    field.querySelector(".panel").hidden = !isOpen;
    field.querySelector(".open").setAttribute("aria-expanded", String(isOpen));
    stage.place();
  }

  function openSheet(chosen) {
    for (const button of sheetButtons) {
      const isOpen = button === chosen, sheet = byId(button.getAttribute("aria-controls"));
      button.setAttribute("aria-expanded", String(isOpen));
      sheet.classList.toggle("shown", isOpen);
    }
  }

  function closeAll() {
    openSheet(null);
    for (const name of sides) openPanel(name, false);
  }

  // Panels close when the person returns to the picture or, on a phone, chooses another one.
  byId("stage").addEventListener("pointerdown", () => openSheet(null), true);

  for (const button of sheetButtons) {
    button.addEventListener("click", () => openSheet(button.getAttribute("aria-expanded") === "true" ? null : button));
  }

  const stage = makeStage({
    stage: byId("stage"), right: byId("layer-right"), divider: byId("divider"), takesWheel: true,
    size: () => state.picture && { w: state.picture.width, h: state.picture.height },
    clips: () => byId("mode").value === "split",
    // The area that the bars leave free; the stage extends below them.
    room() {
      const box = byId("stage").getBoundingClientRect(), gap = 8;
      const panel = isNarrow.matches && document.querySelector(".panel:not([hidden])");
      const { top } = (panel || byId("bars")).getBoundingClientRect();
      return { x: gap, y: gap, w: Math.max(40, box.width - 2 * gap), h: Math.max(40, top - box.top - 2 * gap) };
    },
    changed() {
      stage.tellZoom(byId("zoom"));
      const isSplit = byId("mode").value === "split";
      byId("layer-left").style.clipPath = isSplit ? `inset(0 ${byId("stage").clientWidth * (1 - stage.view.split)}px 0 0)` : "none";
    },
  });
  new ResizeObserver(() => {
    document.body.style.setProperty("--bars", `${byId("bars").offsetHeight}px`);
    stage.place();
  }).observe(byId("bars"));
  stage.drag(byId("stage"), (dx, dy) => { stage.view.x += dx; stage.view.y += dy; }, (dx, dy, kind) => {
    // A swipe turns the page if there is nothing to pan.
    if (kind === "touch" && stage.view.zoom === "fit" && Math.abs(dx) > 60 && Math.abs(dx) > 2 * Math.abs(dy)) show(state.wanted - Math.sign(dx));
  });
  byId("zoom").addEventListener("change", (event) => stage.setZoom(event.target.value));
  byId("previous").addEventListener("click", () => show(state.wanted - 1));
  byId("next").addEventListener("click", () => show(state.wanted + 1));

  let flicker = null;
  function flip() {
    for (const name of sides) for (const part of ["layer", "tag"]) byId(`${part}-${name}`).classList.toggle("away-now");
  }
  byId("mode").addEventListener("change", () => {
    const mode = byId("mode").value;
    clearInterval(flicker);
    byId("stage").classList.toggle("difference", mode === "difference");
    byId("stage").classList.toggle("flicker", mode === "flicker");
    for (const part of ["layer", "tag"]) {
      byId(`${part}-right`).classList.toggle("away-now", mode === "flicker");
      byId(`${part}-left`).classList.remove("away-now");
    }
    // With reduced motion, pictures flip only with the space bar.
    if (mode === "flicker" && !reduced) flicker = setInterval(flip, 700);
    stage.place();
  });
  byId("stage").addEventListener("keydown", (event) => {
    if (event.key === " " && byId("mode").value === "flicker") { flip(); event.preventDefault(); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { closeAll(); say(count()); }
    if (event.defaultPrevented || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    // The stage zooms by itself, whatever in it has the focus.
    if (!byId("stage").contains(event.target)) {
      if (event.key === "+" || event.key === "=") stage.zoomBy(1);
      if (event.key === "-") stage.zoomBy(-1);
    }
    if (event.key === "0") stage.setZoom("fit");
    if (event.key === "ArrowLeft") show(state.wanted - 1);
    if (event.key === "ArrowRight") show(state.wanted + 1);
  });

  // MARK: In and out

  async function upload(files) {
    let first = null;
    const refused = [];
    for (const file of files) {
      say(`adding ${file.name} …`);
      try {
        if (file.size > state.mostBytes) throw new Error(`a dropped file may have at most ${state.mostBytes >> 20} MiB; name it on the command line instead: heicbench view FILE`);
        const answer = await fetch(`upload?name=${encodeURIComponent(file.name)}`, { method: "PUT", body: file });
        if (!answer.ok) throw new Error((await answer.text()).trim());
        const { picture } = await answer.json();
        // The answer may arrive before the message that lists the picture, which cannot be shown until then.
        while (picture >= state.names.length) await new Promise((listed) => state.awaited.push(listed));
        first ??= picture;
      } catch (error) {
        refused.push(`${file.name}: ${error.message}`);
      }
    }
    const others = refused.length > 1 ? ` (and ${refused.length - 1} more)` : "";
    if (first !== null) show(first);
    say(refused.length ? `${refused[0]}${others}` : count());
  }

  for (const pick of document.querySelectorAll(".pick input")) {
    pick.addEventListener("change", (event) => { upload([...event.target.files]); event.target.value = ""; });
  }
  document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  document.addEventListener("paste", (event) => { if (event.clipboardData.files.length) upload([...event.clipboardData.files]); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    upload([...event.dataTransfer.files]);
  });

  // A word for a shell: quoted if needed, with escapes for characters that would affect the terminal that the command
  // is pasted into or look like other characters.
  const odd = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  function quoted(text) {
    if (/^[\w./:=,@%+-]+$/.test(text)) return text;
    if (!odd.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
    const spelled = [...text].map((letter) => (odd.test(letter)
      ? [...new TextEncoder().encode(letter)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")
      : letter.replace(/['\\]/, "\\$&")));
    return `$'${spelled.join("")}'`;
  }

  // A path that cannot be mistaken for an option or a subcommand.
  const pathWord = (path) => quoted(/^-|^[^/]*$/.test(path) ? `./${path}` : path);

  function command(paths) {
    const shown = sides.map((name) => state.sides[name]).filter((side) => side.codec !== "original");
    const codecs = [...new Set(shown.map((side) => spelling(side)))].map((codec) => `--codec ${quoted(codec)}`);
    const qualities = [...new Set(shown.map((side) => side.facts.quality ?? side.quality))].sort();
    const builds = state.builds.filter((build) => shown.some((side) => side.codec.endsWith(`@${build.split("=")[0]}`)));
    return ["heicbench", ...paths, ...builds.map((build) => `--build ${quoted(build)}`), ...codecs, ...(qualities.length ? [`--qualities ${qualities.join(",")}`] : []), "--keep-encoded encoded"].join(" ");
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      say(`copied: ${text}`);
    } catch {
      say(text);
    }
  }

  byId("status").addEventListener("click", () => say(count()));
  byId("copy-one").addEventListener("click", () => {
    if (state.picture) copy(command([pathWord(state.picture.path ?? state.names[state.picture.picture])]));
  });
  byId("copy-all").addEventListener("click", () => copy(command(state.roots.length ? state.roots.map(pathWord) : ["FOLDER"])));

  const dataURL = (canvas) => new Promise((resolve, reject) => canvas.toBlob((blob) => {
    if (!blob) { reject(new Error("the picture is too large to be saved by this browser")); return; }
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  }, "image/png"));

  // Both sides as decoded pixels in one self-contained file; a slider reveals one or the other.
  async function save() {
    const safe = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
    const pictures = await Promise.all(sides.map((name) => dataURL(state.sides[name].codec === "original" ? canvases[0] : byId(`canvas-${name}`))));
    const labels = sides.map((name) => safe(byId(`tag-${name}`).textContent));
    const facts = sides.map((name) => safe([...byId(name).querySelectorAll(".facts dt")].map((dt) => `${dt.textContent}: ${dt.nextSibling.textContent}`).join("; ")));
    const title = safe(state.names[state.picture.picture]);
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>
body{font:16px/1.4 system-ui,sans-serif;margin:12px;background:#eee;color:#111}figure{position:relative;margin:0;display:inline-block}
img{display:block;max-width:100%}#b{position:absolute;inset:0;clip-path:inset(0 0 0 50%)}input{width:100%}</style>
<h1>${title}</h1><figure><img src="${pictures[0]}" alt="${labels[0]}"><img id="b" src="${pictures[1]}" alt="${labels[1]}"></figure>
<input type="range" aria-label="Divider" value="50" oninput="b.style.clipPath='inset(0 0 0 '+value+'%)'">
<p>Left: ${labels[0]} (${facts[0]})</p><p>Right: ${labels[1]} (${facts[1]})</p></html>`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    link.download = `${state.names[state.picture.picture].split("/").pop()}-compared.html`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  byId("save").addEventListener("click", () => { if (state.picture) save().catch((error) => say(error.message)); });

  connect();
})();
