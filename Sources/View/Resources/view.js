"use strict";
// The comparer. Every move of a slider has a number; pixels and figures say which move they belong to, and what does
// not belong to the newest is dropped. A canvas is cleared when the first pixels of a newer move come, and its label
// changes in the same step, so that no picture stands under another's label.
(function () {
  const byId = (id) => document.getElementById(id);
  const sides = ["left", "right"], other = { left: "right", right: "left" };
  const canvases = ["original", "left", "right"].map((name) => byId(`canvas-${name}`));
  // While a slider moves, a move is sent at once and then no more often than this, milliseconds.
  const pace = 50;
  const state = {
    socket: null, names: [], codecs: [], roots: [], builds: [], picture: null, wanted: -1, number: 0, awaited: [],
    sides: { left: fresh(), right: fresh() },
  };
  const reduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

  function fresh() {
    // `number` is the newest move, `drawn` the move whose pixels are on the canvas.
    return { codec: "original", settings: "", quality: 0.75, number: 0, drawn: 0, sentAt: 0, later: null, facts: {}, moving: false };
  }

  // MARK: The wire

  function connect() {
    const socket = new WebSocket(new URL("socket", location.href.replace(/^http/, "ws")));
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => (typeof event.data === "string" ? take(JSON.parse(event.data)) : paint(event.data));
    socket.onclose = () => { say("The connection is gone; trying again …"); setTimeout(connect, 1000); };
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
      else trouble("Drop pictures here, or add them above.");
    },
    added(event) {
      const names = event.pictures.map((picture) => picture.name);
      state.names = state.names.concat(names);
      gallery.add(names);
      say(count());
      for (const listed of state.awaited.splice(0)) listed();
    },
    opened(event) {
      if (event.picture !== state.wanted) return;
      const isSame = state.picture && state.picture.picture === event.picture;
      state.picture = event;
      trouble(null);
      opening();
      for (const canvas of canvases) { canvas.width = event.width; canvas.height = event.height; }
      for (const side of sides) state.sides[side].drawn = 0;
      if (!isSame) tried.clear(event);
      byId("picture-facts").textContent = [
        `${event.width} × ${event.height}`, `${event.format}, ${bytesText(event.fileBytes)} as it is`, event.profile, ...event.steps].join(" · ");
      stage.place();
      if (!isSame) for (const side of sides) move(side, { settled: true });
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
      // Its label waits for its pixels, where there are none yet.
      if (side.drawn !== event.number) { side.held = event; return; }
      // A search shows one try after the other under one number.
      if (side.facts.quality !== event.quality) clear(event.side, event.number);
      side.facts = { number: event.number, quality: event.quality, whole: event };
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
      tried.add({ side: event.side, codec: spelling(side), quality: event.quality, bytes: event.bytes, scores: event.scores, encodeCPU: event.encodeCPU });
      side.facts.scored = event;
      if (event.isFinal) {
        if (side.searching) setQuality(event.side, event.quality);
        const wasAsked = side.searching !== "held";
        side.searching = null;
        if (wasAsked && byId("hold").checked) hold(event.side, event.scores.ssimulacra2);
      }
      tell();
    },
    failed(event) {
      if (event.side) {
        const side = state.sides[event.side];
        if (event.number !== side.number) return;
        clear(event.side, event.number);
        side.searching = null;
        side.facts = { error: event.message };
        tell();
      } else if (event.thumbnail !== undefined) gallery.fail(event.thumbnail, event.message);
      else if (event.picture !== undefined) {
        if (event.picture !== state.wanted) return;
        state.refused = event.picture;
        opening();
        empty();
        trouble(`${state.names[event.picture]} cannot be shown: ${event.message}. The others can.`);
      } else say(event.message);
    },
  };

  function take(event) {
    const taker = takers[event.type];
    if (taker) taker(event);
  }

  // The side of an event that belongs to its newest move.
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
      if (id === state.picture.picture) canvases[0].getContext("2d").putImageData(image, x, y);
      byId("preview").hidden = true;
      return;
    }
    const name = sides[canvas - 1], side = state.sides[name];
    if (id !== side.number) return;
    if (side.drawn !== id) clear(name, id);
    canvases[canvas].getContext("2d").putImageData(image, x, y);
    if (!side.paintedAt) {
      side.paintedAt = performance.now();
      canvases[canvas].dataset.milliseconds = (side.paintedAt - side.movedAt).toFixed(1);
    }
  }

  // Empties a side's canvas for a move; what it says changes with it.
  function clear(name, number) {
    const canvas = byId(`canvas-${name}`), side = state.sides[name];
    canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    canvas.dataset.number = String(number);
    side.drawn = number;
    side.facts = { number };
    if (side.held?.number === number) Object.assign(side.facts, { quality: side.held.quality, whole: side.held });
    side.held = null;
    tell();
  }

  // MARK: What is asked for

  function show(index) {
    if (index < 0 || index >= state.names.length || index === state.wanted) return;
    state.wanted = index;
    stage.home();
    gallery.mark(index);
    byId("image-name").textContent = state.names[index];
    // Until it is opened there is no picture to move, also where it is the one that was shown before the last.
    state.picture = null;
    state.refused = null;
    trouble(null);
    opening();
    for (const name of sides) {
      const side = state.sides[name];
      clearTimeout(side.later);
      Object.assign(side, { number: 0, facts: {}, held: null, searching: null });
    }
    tell();
    send({ type: "show", picture: index });
  }

  // While a picture is being opened its thumbnail stands in for it, and a line says so. Once it is there the thumbnail
  // stays below it until its own pixels come.
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

  // Shows nothing, where the wanted picture cannot be shown and another one would stand under its name.
  function empty() {
    for (const canvas of canvases) canvas.width = canvas.height = 1;
    for (const name of sides) byId(`tag-${name}`).textContent = "";
    byId("picture-facts").textContent = "";
    tried.clear(null);
  }

  // Asks for a side's codec and quality. Moves that follow each other faster than the pace wait, the newest wins.
  function move(name, { settled = false, aim = null } = {}) {
    const side = state.sides[name];
    clearTimeout(side.later);
    if (!state.picture || side.codec === "original") { side.number = 0; tell(); return; }
    const wait = side.sentAt + pace - performance.now();
    if (!settled && wait > 0) { side.later = setTimeout(() => move(name), wait); return; }
    side.sentAt = performance.now();
    side.movedAt ??= side.sentAt;
    side.paintedAt = 0;
    side.number = ++state.number;
    side.sent = side.quality; side.settled = settled && byId("whole").checked;
    send({
      type: "move", side: name, number: side.number, picture: state.picture.picture, codec: spelling(side), view: stage.visible(),
      settled: side.settled || aim !== null, ...(aim ?? { quality: side.quality }),
    });
    side.movedAt = side.sentAt;
    tell();
  }

  // The slider rests: the move that is under way becomes a whole file, or a last one is sent.
  function settle(name) {
    const side = state.sides[name];
    if (!byId("whole").checked && side.sent === side.quality) return;
    if (side.sent === side.quality && !side.searching && side.number) {
      clearTimeout(side.later);
      if (!side.settled) send({ type: "settle", side: name, number: side.number });
      side.settled = true;
    } else move(name, { settled: true });
  }

  // Looks for the quality with a score or a size.
  function find(name, aim, why = "asked") {
    const side = state.sides[name];
    if (side.codec === "original") return;
    move(name, { settled: true, aim });
    side.searching = why;
    tell();
  }

  function hold(name, score) {
    if (typeof score === "number" && state.sides[other[name]].codec !== "original") find(other[name], { score, nearest: true }, "held");
  }

  // MARK: What is told

  const say = (text) => { byId("status").textContent = text; };
  const count = () => `${state.names.length} ${state.names.length === 1 ? "picture" : "pictures"}`;
  const bytesText = (bytes) => (!Number.isFinite(bytes) ? "–" : bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(2)} MB`);
  const spelling = (side) => (side.settings ? `${side.codec}:${side.settings}` : side.codec);

  function trouble(text) {
    byId("problem").hidden = !text;
    byId("problem").textContent = text || "";
  }

  function term(name, value, isEstimate) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name; dd.textContent = value;
    if (isEstimate) dd.className = "estimate";
    return [dt, dd];
  }

  function tell() {
    for (const name of sides) {
      const side = state.sides[name], field = byId(name), facts = side.facts, picture = state.picture;
      const isOriginal = side.codec === "original";
      byId(`layer-${name}`).classList.toggle("original", isOriginal);
      field.querySelector(".quality").disabled = isOriginal;
      field.querySelector(".error").hidden = !facts.error;
      field.querySelector(".error").textContent = facts.error ? `${facts.error} Try another quality, setting or codec.` : "";
      const isUnderWay = !isOriginal && side.number && side.drawn !== side.number && !facts.error;
      field.querySelector(".wanted").textContent = isOriginal ? "" : side.searching ? "searching …" : side.quality.toFixed(2) + (isUnderWay ? " …" : "");
      const list = field.querySelector(".facts"), rows = !picture ? [] : isOriginal ? term("what", "the pixels that go into every codec") : figures(name);
      // What is below does not jump while a picture is being opened.
      list.style.minHeight = rows.length ? "" : `${list.offsetHeight}px`;
      list.replaceChildren(...rows);
      const link = field.querySelector(".download");
      link.hidden = !facts.whole;
      if (facts.whole) link.href = `file?side=${name}&number=${facts.whole.number}`;
      if (!picture) continue;
      const canvas = byId(`canvas-${name}`);
      const label = isOriginal ? "original" : facts.quality === undefined ? spelling(side) : `${spelling(side)} at ${facts.quality.toFixed(2)}`;
      canvas.dataset.quality = facts.quality ?? "";
      canvas.setAttribute("aria-label", `${state.names[picture.picture]}, ${label}`);
      byId(`tag-${name}`).textContent = label + (sizeText(facts) ? ` · ${sizeText(facts)}` : "");
    }
  }

  function sizeText(facts) {
    if (facts.whole) return bytesText(facts.whole.bytes);
    const about = facts.progress?.estimate;
    return about ? `about ${bytesText(about)}` : "";
  }

  function figures(name) {
    const side = state.sides[name], { whole, progress, decoded, scored } = side.facts, pixels = state.picture.width * state.picture.height;
    const rows = [];
    if (whole) {
      rows.push(...term("size", `${whole.bytes} bytes, ${((whole.bytes * 8) / pixels).toFixed(3)} bits per pixel`), ...term("ratio", ratios(name, whole.bytes)));
      rows.push(...term("encode", `${whole.encodeCPU.toFixed(1)} ms of CPU time, ${whole.encodeWall.toFixed(1)} ms elapsed`));
      rows.push(...term("decode", decoded ? `${decoded.decodeCPU.toFixed(1)} ms of CPU time, ${decoded.decodeWall.toFixed(1)} ms elapsed` : "…"));
    } else if (progress) {
      const margin = progress.margin ? ` ± ${bytesText(progress.margin)}` : "";
      if (Number.isFinite(progress.estimate)) rows.push(...term("size", `about ${bytesText(progress.estimate)}${margin}, ${((progress.estimate * 8) / pixels).toFixed(2)} bits per pixel`, true), ...term("ratio", ratios(name, progress.estimate), true));
      rows.push(...term("pieces", `${progress.pieces} of ${progress.of}, ${bytesText(progress.bytes)} so far`));
      rows.push(...term("encode", `${progress.encodeCPU.toFixed(0)} ms of CPU time so far; first pixels after ${progress.firstMilliseconds.toFixed(0)} ms`));
    }
    if (scored) {
      const { ssimulacra2, "psnr-y": psnr } = scored.scores;
      const missed = scored.isFinal && !scored.isReached ? "; what was asked for is out of its reach" : "";
      rows.push(...term("SSIMULACRA 2", typeof ssimulacra2 === "number" ? `${ssimulacra2.toFixed(2)}${missed}` : "not defined for pictures as small as this"));
      rows.push(...term("PSNR-Y", typeof psnr === "number" ? `${psnr.toFixed(2)} dB` : "no error at all"));
      for (const [title, text] of scored.further) rows.push(...term(title, text));
    } else if (whole) rows.push(...term("SSIMULACRA 2", "…"));
    return rows;
  }

  function ratios(name, bytes) {
    const text = [`${(state.picture.rawBytes / bytes).toFixed(1)} : 1 of the pixels`, `${((100 * bytes) / state.picture.fileBytes).toFixed(1)} % of the file`];
    const opposite = state.sides[other[name]].facts.whole;
    if (opposite) text.push(`${bytes <= opposite.bytes ? "−" : "+"}${Math.abs(100 * (bytes / opposite.bytes - 1)).toFixed(1)} % against the other side`);
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
      const known = [{ id: "original", title: "the original" }, ...state.codecs];
      chooser.append(...known.map((codec) => Object.assign(document.createElement("option"), { value: codec.id, textContent: codec.title })));
      const [id, settings] = event[name].split(/:(.*)/s);
      side.codec = id; side.settings = settings || "";
      chooser.value = id;
      byId(name).querySelector(".settings").value = side.settings;
      describeSettings(name);
    }
  }

  function describeSettings(name) {
    const codec = state.codecs.find((candidate) => candidate.id === state.sides[name].codec);
    byId(name).querySelector(".settings").title = codec ? codec.settings.map((setting) => `${setting.key} = ${setting.allowed}: ${setting.summary} (default: ${setting.value || "none"})`).join("\n") : "";
    byId(name).querySelector(".settings").disabled = !codec;
  }

  for (const name of sides) {
    const field = byId(name), side = state.sides[name];
    field.append(byId("side").content.cloneNode(true));
    setQuality(name, side.quality);
    field.querySelector(".codec").addEventListener("change", (event) => {
      Object.assign(side, { codec: event.target.value, settings: "", facts: {}, searching: null });
      field.querySelector(".settings").value = "";
      describeSettings(name);
      move(name, { settled: true });
    });
    field.querySelector(".settings").addEventListener("change", (event) => {
      side.settings = event.target.value.trim();
      move(name, { settled: true });
    });
    const slider = field.querySelector(".quality");
    slider.setAttribute("aria-label", `Quality, ${name}`);
    slider.addEventListener("input", () => {
      side.quality = Number(slider.value) / 100;
      side.searching = null;
      slider.setAttribute("aria-valuetext", side.quality.toFixed(2));
      move(name);
    });
    slider.addEventListener("change", () => settle(name));
    field.querySelector(".same-size").addEventListener("click", () => {
      const size = state.sides[other[name]].facts.whole;
      if (size) find(name, { bytes: size.bytes });
    });
    field.querySelector(".same-score").addEventListener("click", () => {
      const score = state.sides[other[name]].facts.scored?.scores.ssimulacra2;
      if (typeof score === "number") find(name, { score, nearest: true });
    });
    field.querySelector(".find").addEventListener("click", () => find(name, { score: Number(field.querySelector(".goal").value) }));
  }

  const stage = makeStage({
    stage: byId("stage"), right: byId("layer-right"), divider: byId("divider"),
    size: () => state.picture && { w: state.picture.width, h: state.picture.height },
    clips: () => byId("mode").value === "split",
    changed() {
      byId("zoom").value = stage.view.zoom;
      const isSplit = byId("mode").value === "split";
      byId("layer-left").style.clipPath = isSplit ? `inset(0 ${byId("stage").clientWidth * (1 - stage.view.split)}px 0 0)` : "none";
    },
  });
  stage.drag(byId("stage"), (dx, dy) => { stage.view.x += dx; stage.view.y += dy; }, (dx, dy, kind) => {
    // A swipe turns the page where there is nothing to pan.
    if (kind === "touch" && stage.view.zoom === "fit" && Math.abs(dx) > 60 && Math.abs(dx) > 2 * Math.abs(dy)) show(state.wanted - Math.sign(dx));
  });
  byId("zoom").addEventListener("change", (event) => stage.setZoom(event.target.value));
  byId("previous").addEventListener("click", () => show(state.wanted - 1));
  byId("next").addEventListener("click", () => show(state.wanted + 1));

  let flicker = null;
  function flip() { byId("layer-right").classList.toggle("away-now"); byId("layer-left").classList.toggle("away-now"); }
  byId("mode").addEventListener("change", () => {
    const mode = byId("mode").value;
    clearInterval(flicker);
    byId("stage").classList.toggle("difference", mode === "difference");
    byId("stage").classList.toggle("flicker", mode === "flicker");
    byId("layer-right").classList.toggle("away-now", mode === "flicker");
    byId("layer-left").classList.remove("away-now");
    // Who asked for less motion flips with the space bar alone.
    if (mode === "flicker" && !reduced) flicker = setInterval(flip, 700);
    stage.place();
  });
  byId("stage").addEventListener("keydown", (event) => {
    if (event.key === " " && byId("mode").value === "flicker") { flip(); event.preventDefault(); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
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
        if (file.size > state.mostBytes) throw new Error(`a file may have ${state.mostBytes >> 20} MiB; name it on the command line instead`);
        const answer = await fetch(`upload?name=${encodeURIComponent(file.name)}`, { method: "PUT", body: file });
        if (!answer.ok) throw new Error((await answer.text()).trim());
        const { picture } = await answer.json();
        // The answer may come before the message that lists the picture, which cannot be shown until then.
        while (picture >= state.names.length) await new Promise((listed) => state.awaited.push(listed));
        first ??= picture;
      } catch (error) {
        refused.push(`${file.name}: ${error.message}`);
      }
    }
    const others = refused.length > 1 ? ` (and ${refused.length - 1} more)` : "";
    say(refused.length ? `${count()}; ${refused[0]}${others}` : count());
    if (first !== null) show(first);
  }

  byId("pick").addEventListener("change", (event) => { upload([...event.target.files]); event.target.value = ""; });
  document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    upload([...event.dataTransfer.files]);
  });

  // A word as a shell takes it: in quotes where it does not mean itself, and with characters spelled out that would act
  // on the terminal that the command is pasted into, or look like others.
  const odd = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  function quoted(text) {
    if (/^[\w./:=,@%+-]+$/.test(text)) return text;
    if (!odd.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
    const spelled = [...text].map((letter) => (odd.test(letter)
      ? [...new TextEncoder().encode(letter)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")
      : letter.replace(/['\\]/, "\\$&")));
    return `$'${spelled.join("")}'`;
  }

  // A path that no shell and no program takes for an option or a subcommand.
  const pathWord = (path) => quoted(/^-|^[^/]*$/.test(path) ? `./${path}` : path);

  function command(paths) {
    const shown = sides.map((name) => state.sides[name]).filter((side) => side.codec !== "original");
    const codecs = [...new Set(shown.map(spelling))].map((codec) => `--codec ${quoted(codec)}`);
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

  // Both sides as decoded pixels in one file that needs nothing else: a slider uncovers one or the other.
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
