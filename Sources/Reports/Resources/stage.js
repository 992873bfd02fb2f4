"use strict";
// A stage shows two layers of one size, the right one clipped at a divider, both moved by one pan and one zoom.
// `size` gives the picture's columns and rows, null while there is none; `clips` says whether the divider clips.
function makeStage({ stage, right, divider, size, clips, changed = () => {} }) {
  const levels = ["fit", "1", "2", "4", "8"];
  const view = { split: 0.5, zoom: "fit", x: 0, y: 0 };

  function scale() {
    const picture = size();
    return view.zoom === "fit" ? Math.min(stage.clientWidth / picture.w, stage.clientHeight / picture.h) : Number(view.zoom) / window.devicePixelRatio;
  }

  // Where the picture's first pixel is, in CSS pixels of the stage, and how large its pixels are.
  function placement() {
    const picture = size(), factor = scale();
    const slack = (length, room) => Math.max(0, (length * factor - room) / 2);
    const [slackX, slackY] = [slack(picture.w, stage.clientWidth), slack(picture.h, stage.clientHeight)];
    view.x = Math.min(slackX, Math.max(-slackX, view.x));
    view.y = Math.min(slackY, Math.max(-slackY, view.y));
    return { factor, left: (stage.clientWidth - picture.w * factor) / 2 + view.x, top: (stage.clientHeight - picture.h * factor) / 2 + view.y };
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

  // The part of the picture that is on the stage, in whole pixels: [x, y, width, height].
  function visible() {
    const picture = size(), { factor, left, top } = placement();
    const inside = (value, limit) => Math.min(limit, Math.max(0, value));
    const x = Math.floor(inside(-left / factor, picture.w - 1)), y = Math.floor(inside(-top / factor, picture.h - 1));
    const endX = Math.ceil(inside((stage.clientWidth - left) / factor, picture.w)), endY = Math.ceil(inside((stage.clientHeight - top) / factor, picture.h));
    return [x, y, Math.max(1, endX - x), Math.max(1, endY - y)];
  }

  function drag(element, move, ended = () => {}) {
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      const start = [event.clientX, event.clientY];
      let [x, y] = start;
      const moved = (e) => { move(e.clientX - x, e.clientY - y); [x, y] = [e.clientX, e.clientY]; place(); };
      const end = (e) => {
        element.removeEventListener("pointermove", moved);
        ended(e.clientX - start[0], e.clientY - start[1], e.pointerType);
      };
      element.addEventListener("pointermove", moved);
      element.addEventListener("pointerup", end, { once: true });
      event.stopPropagation();
    });
  }

  function setZoom(value) { view.zoom = value; place(); }
  function zoomBy(step) { setZoom(levels[Math.min(levels.length - 1, Math.max(0, levels.indexOf(view.zoom) + step))]); }
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
  });
  window.addEventListener("resize", place);
  return { view, place, visible, drag, setZoom, zoomBy, home };
}
