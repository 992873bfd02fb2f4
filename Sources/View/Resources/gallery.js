"use strict";
// The gallery has only as many cells as fit on the screen, whatever the number of pictures. Each cell requests its
// thumbnail when it comes into view; the server drops requests of cells that have scrolled away.
const gallery = (function () {
  const box = document.getElementById("gallery");
  const cells = new Map();
  let names = [], current = -1, ask = () => {}, choose = () => {};
  let waiting = null;

  const size = () => (window.innerWidth <= 480 ? { w: 112, h: 122 } : { w: 142, h: 146 });
  const columns = () => Math.max(1, Math.floor((box.clientWidth - 8) / size().w));

  function begin(list, onAsk, onChoose) {
    names = list; ask = onAsk; choose = onChoose;
    for (const cell of cells.values()) cell.remove();
    cells.clear();
    layout();
  }

  function add(list) { names = names.concat(list); layout(); }

  function layout() {
    const height = Math.ceil(names.length / columns()) * size().h + 8;
    box.querySelector(".space").style.height = `${height}px`;
    box.style.maxHeight = `${Math.max(height, size().h) + 4}px`;
    for (const [index, cell] of cells) put(cell, index);
    update();
  }

  function put(cell, index) {
    const { w, h } = size(), across = columns();
    cell.style.left = `${4 + (index % across) * w}px`;
    cell.style.top = `${4 + Math.floor(index / across) * h}px`;
  }

  // The indices on the screen, plus a row on either side.
  function range() {
    const { h } = size(), across = columns();
    const first = Math.max(0, Math.floor(box.scrollTop / h) - 1), last = Math.floor((box.scrollTop + box.clientHeight) / h) + 1;
    return [first * across, Math.min(names.length, (last + 1) * across)];
  }

  function update() {
    const [start, end] = range();
    for (const [index, cell] of cells) {
      if (index < start || index >= end) { cell.remove(); cells.delete(index); }
    }
    for (let index = start; index < end; index++) {
      if (!cells.has(index)) cells.set(index, make(index));
    }
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const middle = (start + end) / 2;
      const wanted = [...cells.keys()].filter((index) => !cells.get(index).dataset.filled);
      wanted.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
      ask(wanted);
    }, 30);
  }

  function make(index) {
    const cell = document.createElement("button"), label = document.createElement("span"), item = document.createElement("div");
    cell.type = "button";
    cell.className = "cell";
    label.textContent = names[index].split("/").pop();
    cell.title = names[index];
    cell.append(document.createElement("canvas"), label);
    cell.setAttribute("aria-current", String(index === current));
    cell.addEventListener("click", () => choose(index));
    item.setAttribute("role", "listitem");
    item.append(cell);
    put(cell, index);
    box.append(item);
    cell.remove = () => item.remove();
    return cell;
  }

  function fill(index, image) {
    const cell = cells.get(index);
    if (!cell) return;
    const canvas = cell.querySelector("canvas");
    canvas.width = image.width; canvas.height = image.height;
    canvas.getContext("2d").putImageData(image, 0, 0);
    cell.dataset.filled = "true";
  }

  // The canvas with a picture's thumbnail; null if it has not arrived.
  function thumbnail(index) {
    const cell = cells.get(index);
    return cell?.dataset.filled && !cell.classList.contains("broken") ? cell.querySelector("canvas") : null;
  }

  function fail(index, message) {
    const cell = cells.get(index);
    if (!cell) return;
    cell.dataset.filled = "true";
    cell.classList.add("broken");
    cell.title = `${names[index]}: ${message}`;
    cell.querySelector("span").textContent = `cannot be shown: ${message}`.slice(0, 60);
  }

  function mark(index) {
    cells.get(current)?.setAttribute("aria-current", "false");
    current = index;
    cells.get(current)?.setAttribute("aria-current", "true");
    const { h } = size(), top = Math.floor(index / columns()) * h;
    if (top < box.scrollTop || top + h > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, top - h);
  }

  let frame = null;
  box.addEventListener("scroll", () => {
    frame ??= requestAnimationFrame(() => { frame = null; update(); });
  });
  window.addEventListener("resize", layout);
  return { begin, add, fill, fail, mark, thumbnail };
})();
