"use strict";
// The whole files tried for the picture shown: a table, and a small rate–quality plot.
const tried = (function () {
  const rows = new Map();
  let picture = null;
  const namespace = "http://www.w3.org/2000/svg";

  function add(row) {
    rows.set(`${row.codec} ${row.quality}`, row);
    show();
  }

  function clear(shown) { rows.clear(); picture = shown; show(); }

  function cell(text, isNumber) {
    const td = document.createElement("td");
    td.textContent = text;
    if (isNumber) td.className = "number";
    return td;
  }

  const number = (value, decimals) => (typeof value === "number"
    ? value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }) : "–");
  const density = (row) => (row.bytes * 8) / (picture.width * picture.height);

  function show() {
    const sorted = [...rows.values()].sort((a, b) => (a.codec < b.codec ? -1 : a.codec > b.codec ? 1 : a.quality - b.quality));
    document.querySelector("#tried tbody").replaceChildren(...sorted.map((row) => {
      const tr = document.createElement("tr");
      tr.append(
        cell(row.side), cell(row.name), cell(number(row.quality, 2), true), cell(number(row.bytes, 0), true), cell(number(density(row), 3), true),
        cell(number(row.scores.ssimulacra2, 2), true), cell(number(row.scores["psnr-y"], 2), true), cell(number(row.encodeCPU, row.encodeCPU < 10 ? 1 : 0), true));
      return tr;
    }));
    plot(sorted.filter((row) => typeof row.scores.ssimulacra2 === "number"));
  }

  function element(name, attributes, text) {
    const made = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // A codec has the same colour and dash as in reports, whatever else was tried; its other settings share the colour.
  function styles(points) {
    const turns = new Map(), found = new Map();
    for (const { codec, look } of points) {
      if (found.has(codec)) continue;
      const turn = turns.get(look.colour) || 0;
      turns.set(look.colour, turn + 1);
      found.set(codec, { colour: look.colour, dash: look.dashes[turn % look.dashes.length] });
    }
    return found;
  }

  function plot(points) {
    const svg = document.getElementById("tried-plot"), legend = document.getElementById("tried-legend");
    svg.replaceChildren();
    legend.replaceChildren();
    if (!points.length) return;
    const rates = points.map(density), scores = points.map((row) => row.scores.ssimulacra2);
    const [low, high] = [Math.min(...rates) / 1.25, Math.max(...rates) * 1.25];
    const [bottom, top] = [Math.min(...scores) - 4, Math.min(100, Math.max(...scores) + 4)];
    const x = (rate) => 40 + (Math.log(rate / low) / Math.log(high / low)) * 365;
    const y = (score) => 205 - ((score - bottom) / (top - bottom)) * 190;
    for (let score = Math.ceil(bottom / 10) * 10; score <= top; score += 10) {
      svg.append(element("line", { x1: 40, x2: 405, y1: y(score), y2: y(score) }), element("text", { x: 34, y: y(score) + 4, "text-anchor": "end" }, String(score)));
    }
    for (const rate of new Set([Math.min(...rates), Math.max(...rates)])) {
      svg.append(element("line", { x1: x(rate), x2: x(rate), y1: 15, y2: 205 }), element("text", { x: x(rate), y: 220, "text-anchor": "middle" }, rate.toFixed(2)));
    }
    svg.append(element("text", { x: 222, y: 234, "text-anchor": "middle" }, "bits per pixel (logarithmic)"));
    for (const [codec, { colour, dash }] of styles(points)) {
      const mine = points.filter((row) => row.codec === codec);
      const places = mine.map((row) => [x(density(row)), y(row.scores.ssimulacra2)]);
      svg.append(element("polyline", { class: `s${colour}`, "stroke-dasharray": dash || "none", points: places.map((place) => place.join(",")).join(" ") }));
      for (const [cx, cy] of places) svg.append(element("circle", { class: `f${colour}`, cx, cy, r: 4 }));
      const item = document.createElement("li"), sample = element("svg", { class: "sample", viewBox: "0 0 34 6", "aria-hidden": "true" });
      sample.append(element("line", { class: `curve s${colour}`, x1: 0, x2: 34, y1: 3, y2: 3, "stroke-dasharray": dash || "none" }));
      item.append(sample, mine[0].name);
      legend.append(item);
    }
  }

  return { add, clear };
})();
