"use strict";
// The two-up view: one picture clipped over the other, with a shared pan and zoom.
(function () {
  const stage = byId("stage");
  const images = data.images.filter((image) => image.assets);
  if (!stage) return;
  if (!images.length) { byId("viewer").hidden = true; return; }
  const headline = metricById.get(data.headline);
  const reduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const state = { image: 0, sides: { left: { v: 0, i: 0 }, right: { v: Math.min(1, data.variants.length - 1), i: 0 } } };
  const other = { left: "right", right: "left" };
  const { view, place, drag, setZoom, tellZoom, home } = makeStage({
    stage, right: byId("layer-right"), divider: byId("divider"), size: () => images[state.image],
    clips: () => byId("mode").value !== "difference", changed: () => tellZoom(byId("zoom")),
  });

  const series = (side) => images[state.image].series.find((entry) => entry.v === state.sides[side].v);
  const scoreAt = (entry, index) => (entry && entry.s[data.headline] ? entry.s[data.headline][index] : null);

  // The index with the score nearest to the other side's: equal quality, whatever the quality numbers say.
  function nearest(entry, score) {
    let best = 0;
    (entry.s[data.headline] || []).forEach((value, index) => {
      const current = scoreAt(entry, best);
      if (value !== null && (current === null || Math.abs(value - score) < Math.abs(current - score))) best = index;
    });
    return best;
  }

  function matchFrom(side) {
    if (!byId("match").checked) return;
    const from = series(side), to = series(other[side]);
    const score = from && scoreAt(from, state.sides[side].i);
    if (to && score !== null && score !== undefined) state.sides[other[side]].i = nearest(to, score);
  }

  // The address of a side's picture; null if the page has none, which must not look like the original.
  function source(side, image) {
    const entry = (image || images[state.image]).series.find((e) => e.v === state.sides[side].v);
    const assets = (image || images[state.image]).assets;
    if (!entry) return assets.reference;
    const list = byId("mode").value === "map" ? assets.maps : assets.pictures;
    return (list[entry.v] || [])[Math.min(state.sides[side].i, entry.q.length - 1)] || null;
  }

  function show() {
    const image = images[state.image];
    byId("image-name").textContent = byId("image-name").title = `${image.name} (${image.w} × ${image.h})`;
    for (const side of ["left", "right"]) {
      const difference = byId("mode").value === "difference";
      const picture = byId(`layer-${side}`).querySelector("img");
      const address = difference && side === "left" ? source("right") && image.assets.reference : source(side);
      picture.style.visibility = address ? "" : "hidden";
      if (address) picture.src = address;
      picture.width = image.w; picture.height = image.h;
      facts(side);
    }
    const left = byId("layer-left").querySelector("img"), right = byId("layer-right").querySelector("img");
    left.alt = `${image.name}, ${describe("left")}`; right.alt = `${image.name}, ${describe("right")}`;
    stage.classList.toggle("difference", byId("mode").value === "difference");
    byId("map-scale").hidden = byId("mode").value !== "map";
    byId("difference-scale").hidden = byId("mode").value !== "difference";
    [...byId("thumbs").children].forEach((button, index) => button.setAttribute("aria-current", String(index === state.image)));
    place();
    preload();
  }

  function describe(side) {
    const entry = series(side);
    return entry ? `${data.variants[entry.v].name} at ${label(entry, state.sides[side].i)}` : "reference";
  }

  // A file from another encoder has a name but no quality.
  function label(entry, index) {
    return entry.f ? entry.f[index] : `quality ${entry.q[index]}`;
  }

  function facts(side) {
    const field = byId(side), entry = series(side), image = images[state.image], list = field.querySelector("dl");
    const slider = field.querySelector(".quality");
    slider.disabled = !entry;
    if (!entry) { list.replaceChildren(...term("what", "the original pixels")); return; }
    const index = Math.min(state.sides[side].i, entry.q.length - 1);
    state.sides[side].i = index;
    slider.max = entry.q.length - 1; slider.value = index;
    slider.setAttribute("aria-valuetext", label(entry, index));
    const bits = (entry.b[index] * 8) / (image.w * image.h);
    list.replaceChildren(
      ...(entry.f ? term("file", entry.f[index]) : term("quality", `${entry.q[index]}`)),
      ...term("size", `${formatBytes(entry.b[index])}, ${bits.toFixed(3)} bits per pixel`),
      ...term("ratio", `${((image.raw || image.w * image.h * 3) / entry.b[index]).toFixed(1)} : 1`),
      ...term(headline ? headline.title : "score", headline ? formatScore(scoreAt(entry, index), headline) : "–"),
      ...term("encode CPU", entry.e && entry.e[index] !== null ? `${entry.e[index].toFixed(1)} ms` : "–"),
      ...(source(side) ? [] : term("picture", "none on this page")));
  }

  function term(name, value) {
    const dt = html("dt"), dd = html("dd");
    dt.textContent = name; dd.textContent = value;
    return [dt, dd];
  }

  // Fetches the neighbours of the picture on show, so that paging does not wait.
  function preload() {
    for (const step of [-1, 1]) {
      const neighbour = images[state.image + step];
      if (!neighbour) continue;
      for (const side of ["left", "right"]) new Image().src = source(side, neighbour) ?? neighbour.assets.reference;
    }
  }

  function page(step) {
    state.image = (state.image + step + images.length) % images.length;
    home();
    matchFrom("left");
    show();
    byId("thumbs").children[state.image].scrollIntoView({ block: "nearest", inline: "nearest", behavior: reduced ? "auto" : "smooth" });
  }

  images.forEach((image, index) => {
    const button = html("button", { type: "button" }, html("img", { src: image.assets.thumbnail, loading: "lazy", alt: image.name }));
    button.title = image.name;
    button.addEventListener("click", () => page(index - state.image));
    byId("thumbs").append(button);
  });
  for (const side of ["left", "right"]) {
    const chooser = byId(side).querySelector(".variant");
    chooser.append(option(-1, "reference"));
    data.variants.forEach((variant, v) => chooser.append(option(v, variant.name)));
    chooser.value = String(state.sides[side].v);
    chooser.addEventListener("change", () => { state.sides[side].v = Number(chooser.value); matchFrom(other[side]); show(); });
    byId(side).querySelector(".quality").addEventListener("input", (event) => {
      state.sides[side].i = Number(event.target.value); matchFrom(side); show();
    });
    const entry = series(side);
    if (entry && data.verdictTarget !== null) state.sides[side].i = nearest(entry, data.verdictTarget);
  }
  byId("previous").addEventListener("click", () => page(-1));
  byId("next").addEventListener("click", () => page(1));
  byId("match").addEventListener("change", () => { matchFrom("left"); show(); });
  byId("mode").addEventListener("change", show);
  byId("zoom").addEventListener("change", (event) => setZoom(event.target.value));
  drag(stage, (dx, dy) => { view.x += dx; view.y += dy; });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") page(-1);
    if (event.key === "ArrowRight") page(1);
  });
  document.addEventListener("show-image", (event) => {
    const index = images.findIndex((image) => image.name === event.detail);
    if (index >= 0) page(index - state.image);
  });
  matchFrom("left");
  show();
})();
