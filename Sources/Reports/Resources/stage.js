"use strict";
// A stage shows two layers of the same size, the right one clipped at a divider, with a shared pan and zoom.
// `size` gives the picture's columns and rows, null while there is none; `clips` says whether the divider clips; `room`
// gives the uncovered part of the stage; with `takesWheel` the wheel zooms at the pointer.
function makeStage({ stage, right, divider, size, clips, changed = () => {}, room, takesWheel = false }) {
  const levels = [1, 2, 4, 8];
  const view = { split: 0.5, zoom: "fit", x: 0, y: 0 };
  const free = () => (room ? room() : { x: 0, y: 0, w: stage.clientWidth, h: stage.clientHeight });

  function fit() {
    const picture = size(), { w, h } = free();
    return Math.min(w / picture.w, h / picture.h);
  }

  function scale() { return view.zoom === "fit" ? fit() : Number(view.zoom) / window.devicePixelRatio; }

  // Where the picture's first pixel is, in CSS pixels of the stage, and how large its pixels are.
  function placement() {
    const picture = size(), factor = scale(), { x, y, w, h } = free();
    const slack = (length, space) => Math.max(0, (length * factor - space) / 2);
    const [slackX, slackY] = [slack(picture.w, w), slack(picture.h, h)];
    view.x = Math.min(slackX, Math.max(-slackX, view.x));
    view.y = Math.min(slackY, Math.max(-slackY, view.y));
    return { factor, left: x + (w - picture.w * factor) / 2 + view.x, top: y + (h - picture.h * factor) / 2 + view.y };
  }

  function place() {
    if (!size()) return;
    const { factor, left, top } = placement();
    for (const content of stage.querySelectorAll(".content")) content.style.transform = `translate(${left}px, ${top}px) scale(${factor})`;
    stage.classList.toggle("pixelated", factor * window.devicePixelRatio > 1.01);
    const at = view.split * stage.clientWidth;
    divider.style.left = `${at}px`;
    divider.setAttribute("aria-valuenow", String(Math.round(view.split * 100)));
    right.style.clipPath = clips() ? `inset(0 0 0 ${at}px)` : "none";
    changed();
  }

  // The visible part of the picture, in whole pixels: [x, y, width, height].
  function visible() {
    const picture = size(), { factor, left, top } = placement();
    const inside = (value, limit) => Math.min(limit, Math.max(0, value));
    const x = Math.floor(inside(-left / factor, picture.w - 1)), y = Math.floor(inside(-top / factor, picture.h - 1));
    const endX = Math.ceil(inside((stage.clientWidth - left) / factor, picture.w)), endY = Math.ceil(inside((stage.clientHeight - top) / factor, picture.h));
    return [x, y, Math.max(1, endX - x), Math.max(1, endY - y)];
  }

  // Fingers on the stage, by pointer. Two of them zoom and pan; nothing else does until all are lifted.
  const fingers = new Map();
  let isPinching = false;

  stage.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size > 1) isPinching = true;
  }, true);
  stage.addEventListener("pointermove", (event) => {
    const before = [...fingers.values()];
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size !== 2 || !size()) return;
    const between = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]))];
    const [oldX, oldY, oldGap] = between(before), [x, y, gap] = between([...fingers.values()]);
    view.x += x - oldX; view.y += y - oldY;
    zoomAt(scale() * (gap / oldGap), x, y);
  }, true);
  for (const kind of ["pointerup", "pointercancel"]) {
    stage.addEventListener(kind, (event) => {
      fingers.delete(event.pointerId);
      // The last finger's own handlers run after this one.
      if (!fingers.size) setTimeout(() => { isPinching = fingers.size > 1; });
    }, true);
  }

  function drag(element, move, ended = () => {}) {
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      const start = [event.clientX, event.clientY];
      let [x, y] = start;
      const moved = (e) => {
        if (e.pointerId !== event.pointerId || isPinching) return;
        move(e.clientX - x, e.clientY - y); [x, y] = [e.clientX, e.clientY]; place();
      };
      const end = (e) => {
        if (e.pointerId !== event.pointerId) return;
        element.removeEventListener("pointermove", moved);
        for (const kind of ["pointerup", "pointercancel"]) element.removeEventListener(kind, end);
        if (!isPinching) ended(e.clientX - start[0], e.clientY - start[1], e.pointerType);
      };
      element.addEventListener("pointermove", moved);
      for (const kind of ["pointerup", "pointercancel"]) element.addEventListener(kind, end);
      event.stopPropagation();
    });
  }

  function setZoom(value) { view.zoom = value; place(); }

  // Sets the size of the picture's pixels and keeps the place at a point of the window where it is; as small as fits is
  // the smallest, unless the picture is smaller than the stage.
  function zoomAt(wanted, clientX, clientY) {
    const picture = size(), box = stage.getBoundingClientRect(), { x, y, w, h } = free();
    const [px, py] = [clientX - box.left, clientY - box.top], old = placement();
    const ratio = window.devicePixelRatio;
    const factor = Math.min(levels[levels.length - 1] / ratio, Math.max(Math.min(fit(), 1 / ratio), wanted));
    view.zoom = Math.abs(factor / fit() - 1) < 0.01 ? "fit" : String(Math.round(factor * ratio * 1000) / 1000);
    const now = scale();
    view.x = px - x - (w - picture.w * now) / 2 - ((px - old.left) / old.factor) * now;
    view.y = py - y - (h - picture.h * now) / 2 - ((py - old.top) / old.factor) * now;
    place();
  }

  // The next zoom level after the current one; the fitting scale is one of the levels.
  function zoomBy(step) {
    if (!size()) return;
    const [now, whole] = [scale(), fit()].map((factor) => factor * window.devicePixelRatio);
    const all = [...levels, whole].sort((a, b) => a - b);
    const next = step > 0 ? all.find((level) => level > now * 1.01) : all.findLast((level) => level < now * 0.99);
    if (next !== undefined) setZoom(next === whole ? "fit" : String(next));
  }

  // Shows the zoom in a list of levels; any other zoom gets an entry of its own.
  function tellZoom(list) {
    list.querySelector("[data-between]")?.remove();
    list.value = view.zoom;
    if (list.value === view.zoom) return;
    const between = new Option(`${Math.round(Number(view.zoom) * 100)} %`, view.zoom, true, true);
    between.dataset.between = "";
    list.append(between);
  }

  function split(value) { view.split = Math.min(1, Math.max(0, value)); }
  function home() { view.x = 0; view.y = 0; }

  drag(divider, (dx) => split(view.split + dx / stage.clientWidth));
  divider.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key];
    if (!step) return;
    split(view.split + step);
    event.preventDefault(); event.stopPropagation();
    place();
  });
  stage.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") zoomBy(1);
    if (event.key === "-") zoomBy(-1);
    const way = event.shiftKey && { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!way || !size()) return;
    view.x += (way[0] * stage.clientWidth) / 4; view.y += (way[1] * stage.clientHeight) / 4;
    event.preventDefault(); event.stopPropagation();
    place();
  });
  if (takesWheel) {
    stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (size()) zoomAt(scale() * Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), event.clientX, event.clientY);
    }, { passive: false });
  }
  window.addEventListener("resize", place);
  return { view, place, visible, drag, setZoom, zoomBy, tellZoom, home };
}
