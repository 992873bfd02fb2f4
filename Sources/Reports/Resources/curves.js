"use strict";
// The rate–quality plot: bits per pixel on a logarithmic axis against the score of a chosen metric.
(function () {
  const figure = byId("rate-quality");
  if (!figure || !data.images.length || !data.metrics.length) return;
  // Two drawings, for wide and for narrow windows: scaling one down would make its text too small to read.
  const wide = { width: 1000, height: 520, left: 64, right: 20, top: 16, bottom: 54 };
  const narrow = { width: 400, height: 420, left: 50, right: 8, top: 10, bottom: 50 };
  let box = figure.clientWidth < 560 ? narrow : wide;
  const shown = data.variants.map(() => true);
  const chooser = byId("metric");
  data.metrics.forEach((metric) => chooser.append(option(metric.id, metric.title)));
  chooser.value = data.headline;
  const everyImage = byId("every-image");
  // Without mean curves, as with few points around a size, only the images are drawn.
  everyImage.checked = !Object.keys(data.mean).length;

  // The score on the curve's axis: SSIM and similar metrics in decibels, so that the good end is not squeezed, and
  // distances, where less is better, upside down.
  function position(score, metric) {
    if (metric.curveScale !== "identity") return -10 * Math.log10(metric.curveScale === "decibels" ? score : 1 - score);
    return metric.higherIsBetter ? score : -score;
  }

  // The score at a position.
  function scoreAt(y, metric) {
    if (metric.curveScale === "identity") return metric.higherIsBetter ? y : -y;
    return metric.curveScale === "decibels" ? 10 ** (-y / 10) : 1 - 10 ** (-y / 10);
  }

  function seriesOf(image, variant, metric) {
    const series = image.series.find((entry) => entry.v === variant);
    if (!series) return [];
    return series.b.map((bytes, index) => {
      const score = (series.s[metric.id] || [])[index];
      return {
        bitsPerPixel: (bytes * 8) / (image.w * image.h), score, bytes, quality: series.q[index], file: series.f && series.f[index],
        y: score === null || score === undefined ? NaN : position(score, metric),
      };
    }).filter((point) => Number.isFinite(point.y));
  }

  function meanCurves(metric) {
    const known = data.mean[metric.id];
    return data.variants.map((_, v) => {
      const curve = known && known.curves.find((entry) => entry.v === v);
      return curve ? curve.b.map((bitsPerPixel, i) => ({ y: known.y[i], images: known.n[i], bitsPerPixel })) : [];
    });
  }

  function niceStep(span) {
    const power = 10 ** Math.floor(Math.log10(span / 6));
    return [1, 2, 5, 10].map((m) => m * power).find((step) => span / step <= 7) || span;
  }

  function draw() {
    const metric = metricById.get(chooser.value);
    const means = meanCurves(metric);
    const perImage = everyImage.checked
      ? data.images.flatMap((image) => data.variants.map((_, v) => ({ image, v, points: seriesOf(image, v, metric) })))
      : data.images.flatMap((image) => data.variants.flatMap((variant, v) =>
        (variant.imported ? [{ image, v, points: seriesOf(image, v, metric) }] : [])));
    const visible = means.filter((_, v) => shown[v]).flat().concat(perImage.filter((s) => shown[s.v]).flatMap((s) => s.points));
    const savings = (data.mean[metric.id] || { curves: [] }).curves.filter((curve) => curve.saving && shown[curve.v]);
    byId("point").textContent = savings.map((curve) => curve.saving).concat("Point at a curve to read its values.").join(". ");
    const plot = svg("svg", { viewBox: `0 0 ${box.width} ${box.height}`, class: "plot", role: "img",
      "aria-label": `${metric.title} against bits per pixel for each codec` });
    if (!visible.length) { replace(plot); return; }
    // The mean curves set the visible range; the curves of images are clipped to it.
    const framed = means.flat().length > 1 ? means.flat() : visible;
    const ys = framed.map((point) => point.y);
    const inside = visible.filter((point) => point.y >= Math.min(...ys) && point.y <= Math.max(...ys));
    const rates = inside.concat(framed).map((point) => point.bitsPerPixel);
    const x0 = Math.log(Math.min(...rates)), x1 = Math.log(Math.max(...rates)) + 1e-9;
    const y0 = Math.min(...ys), y1 = Math.max(...ys) + 1e-9;
    const x = (rate) => box.left + ((Math.log(rate) - x0) / (x1 - x0)) * (box.width - box.left - box.right);
    const y = (value) => box.height - box.bottom - ((value - y0) / (y1 - y0)) * (box.height - box.top - box.bottom);
    axes(plot, metric, { x, y, x0, x1, y0, y1 });
    const frame = { x: box.left, y: box.top, width: box.width - box.left - box.right, height: box.height - box.top - box.bottom };
    const clip = svg("clipPath", { id: "plot-frame" }), inner = svg("g", { "clip-path": "url(#plot-frame)" });
    clip.append(svg("rect", frame));
    plot.append(clip, inner);
    gap(inner, means, x, y);
    for (const series of perImage) {
      if (!shown[series.v]) continue;
      inner.append(line(series.points, series.v, "thin", x, y));
      // Files from another encoder are points; an image may have only one.
      if (data.variants[series.v].imported) series.points.forEach((p) => inner.append(
        svg("circle", { cx: x(p.bitsPerPixel).toFixed(1), cy: y(p.y).toFixed(1), r: 4, class: `dot f${colour(series.v)}` })));
    }
    means.forEach((points, v) => { if (shown[v] && points.length) inner.append(line(points, v, "curve", x, y)); });
    const mark = svg("circle", { r: 6, class: "dot", visibility: "hidden" });
    plot.append(mark);
    hover(plot, mark, means, perImage, metric, x, y, [y0, y1]);
    replace(plot);
  }

  function replace(plot) {
    const old = figure.querySelector("svg, img");
    if (old) old.replaceWith(plot); else figure.prepend(plot);
  }

  function axes(plot, metric, scale) {
    for (const base of [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]) {
      if (Math.log(base) < scale.x0 || Math.log(base) > scale.x1) continue;
      const at = scale.x(base);
      plot.append(svg("line", { x1: at, x2: at, y1: box.top, y2: box.height - box.bottom, class: "grid" }),
        svg("text", { x: at, y: box.height - box.bottom + 18, "text-anchor": "middle" }, String(base)));
    }
    const step = niceStep(scale.y1 - scale.y0);
    for (let value = Math.ceil(scale.y0 / step) * step; value <= scale.y1; value += step) {
      const at = scale.y(value);
      plot.append(svg("line", { x1: box.left, x2: box.width - box.right, y1: at, y2: at, class: "grid" }),
        svg("text", { x: box.left - 8, y: at + 4, "text-anchor": "end" }, String(Math.round((metric.higherIsBetter || metric.curveScale === "decibels" ? value : -value) * 1000) / 1000)));
    }
    const unit = metric.curveScale !== "identity" ? " (dB)" : metric.unit ? ` (${metric.unit})` : "";
    plot.append(svg("text", { x: (box.left + box.width) / 2, y: box.height - 10, "text-anchor": "middle" }, "bits per pixel (logarithmic)"),
      svg("text", { x: 16, y: box.height / 2, "text-anchor": "middle", transform: `rotate(-90 16 ${box.height / 2})` }, metric.title + unit));
  }

  function line(points, v, kind, x, y) {
    const path = points.map((p, i) => `${i ? "L" : "M"}${x(p.bitsPerPixel).toFixed(1)} ${y(p.y).toFixed(1)}`).join("");
    return svg("path", { d: path, class: `${kind} s${colour(v)}`, "stroke-dasharray": data.variants[v].dash });
  }

  // The band between the reference and the codec in the heading, or the next one shown: the saving at equal quality.
  function gap(plot, means, x, y) {
    const canBe = (v) => v > 0 && shown[v] && means[v].length;
    const other = canBe(data.verdictVariant) ? data.verdictVariant : means.findIndex((_, v) => canBe(v));
    if (!shown[0] || other < 0 || !means[0].length) return;
    const scores = new Set(means[other].map((p) => p.y));
    const a = means[0].filter((p) => scores.has(p.y)), b = means[other].filter((p) => a.some((q) => q.y === p.y));
    const ring = a.concat(b.reverse()).map((p) => `${x(p.bitsPerPixel).toFixed(1)},${y(p.y).toFixed(1)}`).join(" ");
    plot.append(svg("polygon", { points: ring, class: "gap" }));
  }

  function hover(plot, mark, means, perImage, metric, x, y, [y0, y1]) {
    // Where some images end, a curve continues with the slopes of the others and is not a mean of bits per pixel.
    const named = (points, most) => (p) => (p.images < most ? `continued with the slopes of ${p.images} images` : `mean of ${p.images} images`);
    const candidates = means.flatMap((points, v) => {
      const name = named(points, Math.max(...points.map((p) => p.images)));
      return shown[v] ? points.map((p) => ({ p, v, name: name(p) })) : [];
    })
      .concat(perImage.filter((s) => shown[s.v]).flatMap((s) => s.points.map((p) => ({ p, v: s.v, name: s.image.name }))))
      .filter(({ p }) => p.y >= y0 && p.y <= y1);
    plot.addEventListener("pointermove", (event) => {
      const frame = plot.getBoundingClientRect();
      const px = ((event.clientX - frame.left) / frame.width) * box.width;
      const py = ((event.clientY - frame.top) / frame.height) * box.height;
      let best = null, nearest = Infinity;
      for (const c of candidates) {
        const distance = (x(c.p.bitsPerPixel) - px) ** 2 + (y(c.p.y) - py) ** 2;
        if (distance < nearest) { nearest = distance; best = c; }
      }
      mark.setAttribute("visibility", best ? "visible" : "hidden");
      if (!best) return;
      mark.setAttribute("cx", x(best.p.bitsPerPixel)); mark.setAttribute("cy", y(best.p.y));
      mark.setAttribute("class", `dot f${colour(best.v)}`);
      const score = formatScore(best.p.score ?? scoreAt(best.p.y, metric), metric);
      byId("point").textContent = `${data.variants[best.v].name}, ${best.name}: ${metric.title} ${score} at `
        + `${best.p.bitsPerPixel.toFixed(3)} bits per pixel`
        + (best.p.bytes ? `, ${formatBytes(best.p.bytes)}, ${best.p.file || `q ${best.p.quality}`}` : "");
    });
  }

  // A piece of the codec's line, with its dash.
  function sample(v) {
    const drawing = svg("svg", { viewBox: "0 0 34 6", class: "sample", "aria-hidden": "true" });
    drawing.append(svg("line", { x1: 0, x2: 34, y1: 3, y2: 3, class: `curve s${colour(v)}`, "stroke-dasharray": data.variants[v].dash }));
    return drawing;
  }

  data.variants.forEach((variant, v) => {
    const button = html("button", { type: "button", "aria-pressed": "true" }, sample(v));
    button.append(variant.name);
    button.addEventListener("click", () => {
      shown[v] = !shown[v];
      button.setAttribute("aria-pressed", String(shown[v]));
      draw();
    });
    byId("legend").append(button);
  });
  window.addEventListener("resize", () => {
    const fitting = figure.clientWidth < 560 ? narrow : wide;
    if (fitting !== box) { box = fitting; draw(); }
  });
  chooser.addEventListener("change", draw);
  everyImage.addEventListener("change", draw);
  draw();
})();
