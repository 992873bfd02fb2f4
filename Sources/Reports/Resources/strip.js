"use strict";
// The savings image by image, sorted, and the tables' sorting.
(function () {
  const strip = byId("strip");
  const target = byId("strip-target"), chosen = byId("strip-variant");
  if (strip && data.targets.length && data.variants.length > 1) {
    data.targets.forEach((score, index) => target.append(option(index, String(score))));
    target.value = String(Math.max(0, data.targets.indexOf(data.verdictTarget)));
    data.variants.forEach((variant, v) => { if (v > 0) chosen.append(option(v, variant.name)); });
    if (data.verdictVariant > 0) chosen.value = String(data.verdictVariant);
    target.addEventListener("change", draw);
    chosen.addEventListener("change", draw);
    draw();
  }

  function draw() {
    const variant = Number(chosen.value), index = Number(target.value);
    const bars = data.images.map((image) => {
      const series = image.series.find((entry) => entry.v === variant);
      return { image, change: series && series.c ? series.c[index] : null };
    }).filter((bar) => bar.change !== null && bar.change !== undefined).sort((a, b) => a.change - b.change);
    const largest = Math.max(1, ...bars.map((bar) => Math.abs(bar.change)));
    const list = html("ul", { class: "bars" });
    for (const bar of bars) {
      const length = (Math.abs(bar.change) / largest) * 100;
      const drawing = svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
      drawing.append(svg("rect", { x: 0, width: length, y: 1, height: 8, class: bar.change < 0 ? "less" : "more" }));
      const name = html("span", { class: "name" }), value = html("span", { class: "value" });
      name.textContent = bar.image.name;
      name.title = bar.image.name;
      value.textContent = formatChange(bar.change);
      const link = html("a", { href: bar.image.assets ? "#viewer" : "#tables" }, name, value, drawing);
      link.addEventListener("click", () => document.dispatchEvent(new CustomEvent("show-image", { detail: bar.image.name })));
      list.append(html("li", {}, link));
    }
    const missing = data.images.length - bars.length;
    const note = html("p", { class: "context" });
    note.textContent = bars.length
      ? `Change in bytes against ${data.variants[0].name} at a score of ${data.targets[index]}, green for fewer, red for more; best ${bars[0].image.name}, `
        + `worst ${bars[bars.length - 1].image.name}.` + (missing ? ` Without a figure at this score: ${missing} of ${data.images.length} images.` : "")
      : "No figure at this score: no image has points close enough to it with both codecs.";
    strip.replaceChildren(list, note);
  }

  // The number that a cell begins with, as in “−30.1 (−35 to −25)”, “× 1.5” or “20 of 24”; NaN without one.
  function amount(text) {
    return Number(text.replaceAll("−", "-").replaceAll(",", "").match(/-?[0-9.]+(e[+-]?[0-9]+)?/)?.[0] ?? NaN);
  }

  // A click on a heading sorts its table; numbers sort by value, everything else as text.
  for (const table of document.querySelectorAll("table.sortable")) {
    table.querySelectorAll("thead th").forEach((heading, column) => {
      const button = html("button", { type: "button" }, ...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const ascending = heading.getAttribute("aria-sort") !== "ascending";
        table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
        const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
        const numeric = heading.classList.contains("number");
        const compare = (a, b) => {
          const [left, right] = [key(a), key(b)];
          if (left === "" || right === "") return (left === "") - (right === "");
          const [x, y] = numeric ? [amount(left), amount(right)] : [0, 0];
          if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
          const order = numeric ? x - y : left.localeCompare(right);
          return ascending ? order : -order;
        };
        const body = table.tBodies[0];
        body.append(...[...body.rows].sort(compare));
      });
    });
  }
})();
