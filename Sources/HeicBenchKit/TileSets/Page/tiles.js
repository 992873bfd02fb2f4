"use strict";
// Shows pictures that were cut into tiles. Loads the tiles in view and one more around them, keeps a bounded number,
// and shows coarser ones until finer ones have loaded. Names of pictures go through textContent and encodeURIComponent.
(() => {
  const sets = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const [stage, canvas] = [byId("stage"), byId("canvas")];
  const context = canvas.getContext("2d", { alpha: false });

  const largestScale = 8;
  // The memory limit for decoded tiles, at four bytes per pixel.
  const cacheBytes = 192 * 1024 * 1024;
  const loadsAtOnce = 6;
  // A finger that moves less than this counts as still.
  const stillness = 8;

  class Pyramid {
    constructor(set) {
      this.set = set;
      this.levels = set.tiles.map((bytes, index) => {
        const halve = (side) => Math.ceil(side / 2 ** index);
        const [width, height] = [halve(set.width), halve(set.height)];
        return {
          index, width, height, bytes,
          columns: Math.ceil(width / set.tileSize), rows: Math.ceil(height / set.tileSize),
        };
      });
      // The first level that fits in one tile; smaller levels are never needed.
      this.coarsest = this.levels.findIndex((level) => level.columns * level.rows === 1);
      if (this.coarsest < 0) this.coarsest = this.levels.length - 1;
      // The visible part of the picture, without the padding before it.
      [this.left, this.top] = set.origin;
      [this.width, this.height] = [set.width - this.left, set.height - this.top];
    }

    // The place of a tile in its level, including overlap.
    region(level, column, row) {
      const { tileSize, overlap } = this.set;
      const x = Math.max(0, column * tileSize - overlap);
      const y = Math.max(0, row * tileSize - overlap);
      return {
        x, y,
        width: Math.min(level.width, (column + 1) * tileSize + overlap) - x,
        height: Math.min(level.height, (row + 1) * tileSize + overlap) - y,
      };
    }

    address(level, column, row) {
      const { set } = this;
      const name = encodeURIComponent(set.name);
      const upward = this.levels.length - 1 - level.index;
      if (set.layout === "dzi") return `${name}_files/${upward}/${column}_${row}.${set.extension}`;
      if (set.layout === "names") {
        const size = set.tileSize;
        return `${name}/${size}/${name}_${size}_${upward + 1}_${column}_${row}.${set.extension}`;
      }
      const scale = 2 ** level.index;
      const [x, y] = [column * set.tileSize, row * set.tileSize];
      const [w, h] = [Math.min(set.tileSize, level.width - x), Math.min(set.tileSize, level.height - y)];
      let [region, size] = ["full", level.index === 0 ? "max" : `${level.width},${level.height}`];
      if (level.columns * level.rows > 1) {
        const wide = Math.min(w * scale, set.width - x * scale);
        const high = Math.min(h * scale, set.height - y * scale);
        [region, size] = [`${x * scale},${y * scale},${wide},${high}`, `${w},${h}`];
      }
      return `${name}/${region}/${size}/0/default.${set.extension}`;
    }
  }

  // Tiles that are loaded or loading, least recently used first.
  const tiles = new Map();
  const counts = { loads: 0, bytes: 0, failed: 0 };
  let [heldBytes, running, wanted, drawIsDue] = [0, 0, [], false];

  function key(level, column, row) { return `${index}/${level}/${column}/${row}`; }

  function use(id) {
    const tile = tiles.get(id);
    if (!tile) return null;
    tiles.delete(id);
    tiles.set(id, tile);
    return tile;
  }

  function load(want) {
    const image = new Image();
    const tile = { image, state: "loading", held: 0 };
    tiles.set(want.id, tile);
    running += 1;
    const finish = (state) => {
      if (tile.state !== "loading") return;
      tile.state = state;
      running -= 1;
      if (state === "there") {
        tile.held = image.naturalWidth * image.naturalHeight * 4;
        heldBytes += tile.held;
        counts.loads += 1;
        counts.bytes += want.bytes;
      } else if (state === "failed") {
        counts.failed += 1;
        showProblem();
      }
      letGo();
      loadMore();
      draw();
    };
    tile.drop = () => {
      if (tile.state === "loading") running -= 1;
      tile.state = "gone";
      image.src = "";
    };
    image.onload = () => {
      if (image.decode) image.decode().then(() => finish("there"), () => finish("failed"));
      else finish("there");
    };
    image.onerror = () => finish("failed");
    image.src = want.address;
  }

  function loadMore() {
    for (const want of wanted) {
      if (running >= loadsAtOnce) return;
      if (!tiles.has(want.id)) load(want);
    }
  }

  // Removes the least recently used tiles until the rest fits; tiles in view stay.
  function letGo() {
    const needed = new Set(wanted.map((want) => want.id));
    for (const [id, tile] of tiles) {
      if (tile.state === "loading" && !needed.has(id)) {
        tile.drop();
        tiles.delete(id);
      } else if (heldBytes > cacheBytes && tile.state === "there" && !needed.has(id)) {
        heldBytes -= tile.held;
        tiles.delete(id);
      }
    }
  }

  let [index, pyramid] = [0, null];
  // The point of the picture in the middle of the stage, and the number of screen pixels per picture pixel.
  let view = { x: 0, y: 0, scale: 1 };
  let isFitted = true;

  const size = () => ({ width: stage.clientWidth, height: stage.clientHeight });
  const fitScale = () => Math.min(size().width / pyramid.width, size().height / pyramid.height, 1);

  function clamp() {
    const { width, height } = size();
    view.scale = Math.min(Math.max(view.scale, fitScale()), largestScale);
    const limit = (value, side, room) => {
      const half = room / view.scale / 2;
      return half * 2 >= side ? side / 2 : Math.min(Math.max(value, half), side - half);
    };
    view.x = limit(view.x, pyramid.width, width);
    view.y = limit(view.y, pyramid.height, height);
    isFitted = view.scale <= fitScale() * 1.0001;
  }

  function fit() {
    view = { x: pyramid.width / 2, y: pyramid.height / 2, scale: fitScale() };
    changed();
  }

  // Zooms so that the point under a position on the stage stays there.
  function zoom(factor, place) {
    const { width, height } = size();
    const at = place || { x: width / 2, y: height / 2 };
    const old = view.scale;
    view.scale = Math.min(Math.max(old * factor, fitScale()), largestScale);
    view.x += (at.x - width / 2) * (1 / old - 1 / view.scale);
    view.y += (at.y - height / 2) * (1 / old - 1 / view.scale);
    changed();
  }

  function pan(dx, dy) {
    view.x -= dx / view.scale;
    view.y -= dy / view.scale;
    changed();
  }

  function show(next) {
    if (next < 0 || next >= sets.length) return;
    // Tiles that failed are tried again, and fail again if nothing has changed, so that the page says so.
    for (const [id, tile] of tiles) if (tile.state !== "there") { tile.drop(); tiles.delete(id); }
    index = next;
    pyramid = new Pyramid(sets[index]);
    byId("problem").hidden = true;
    counts.failed = 0;
    const { name, title = name, licence = "" } = sets[index];
    byId("name").textContent = sets.length > 1 ? `${title} · ${index + 1}/${sets.length}` : title;
    byId("licence").textContent = licence;
    byId("licence").hidden = licence === "";
    byId("previous").disabled = index === 0;
    byId("next").disabled = index === sets.length - 1;
    fit();
  }

  // The level whose pixels are at least as fine as the screen's.
  function levelInUse() {
    const density = view.scale * (window.devicePixelRatio || 1);
    const level = Math.floor(Math.log2(1 / Math.max(density, 1e-9)) + 1e-6);
    return Math.min(Math.max(level, 0), pyramid.coarsest);
  }

  // The columns and rows of a level that a rectangle of the stage shows, plus `margin` on each side.
  function range(level, margin) {
    const { width, height } = size();
    const step = pyramid.set.tileSize * 2 ** level.index;
    const [left, top] = [view.x + pyramid.left - width / view.scale / 2,
      view.y + pyramid.top - height / view.scale / 2];
    const [right, bottom] = [left + width / view.scale, top + height / view.scale];
    const seen = (value, first, last) => Math.min(Math.max(value, first), last);
    return {
      first: Math.max(0, Math.floor(seen(left, pyramid.left, pyramid.set.width) / step) - margin),
      last: Math.min(level.columns - 1, Math.ceil(seen(right, pyramid.left, pyramid.set.width) / step) - 1 + margin),
      top: Math.max(0, Math.floor(seen(top, pyramid.top, pyramid.set.height) / step) - margin),
      bottom: Math.min(level.rows - 1, Math.ceil(seen(bottom, pyramid.top, pyramid.set.height) / step) - 1 + margin),
    };
  }

  // The tiles to load: the coarsest one, those in view from the middle outwards, and those next to them.
  function want() {
    const found = [];
    const add = (level, column, row, rank) => found.push({
      id: key(level.index, column, row), rank, address: pyramid.address(level, column, row),
      bytes: level.bytes[row * level.columns + column] || 0,
    });
    const coarsest = pyramid.levels[pyramid.coarsest];
    add(coarsest, 0, 0, -1);
    const level = pyramid.levels[levelInUse()];
    if (level !== coarsest) {
      const [near, far] = [range(level, 0), range(level, 1)];
      const step = pyramid.set.tileSize * 2 ** level.index;
      for (let row = far.top; row <= far.bottom; row += 1) {
        for (let column = far.first; column <= far.last; column += 1) {
          const isNear = row >= near.top && row <= near.bottom && column >= near.first && column <= near.last;
          const distance = Math.hypot(
            (column + 0.5) * step - view.x - pyramid.left, (row + 0.5) * step - view.y - pyramid.top);
          add(level, column, row, (isNear ? 0 : 1e9) + distance);
        }
      }
    }
    wanted = found.sort((a, b) => a.rank - b.rank);
    for (const want of wanted) use(want.id);
  }

  function changed() {
    clamp();
    want();
    letGo();
    loadMore();
    byId("scale").textContent = `${view.scale < 0.1 ? (view.scale * 100).toFixed(1) : Math.round(view.scale * 100)} %`;
    byId("in").disabled = view.scale >= largestScale;
    byId("out").disabled = isFitted;
    draw();
  }

  function draw() {
    if (drawIsDue) return;
    drawIsDue = true;
    requestAnimationFrame(() => { drawIsDue = false; paint(); });
  }

  function paint() {
    const density = window.devicePixelRatio || 1;
    const { width, height } = size();
    const [w, h] = [Math.round(width * density), Math.round(height * density)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    const scale = view.scale * density;
    const toX = (x) => Math.round((x - pyramid.left - view.x) * scale + w / 2);
    const toY = (y) => Math.round((y - pyramid.top - view.y) * scale + h / 2);
    context.fillStyle = getComputedStyle(stage).backgroundColor;
    context.fillRect(0, 0, w, h);
    context.save();
    context.beginPath();
    const [x0, y0] = [toX(pyramid.left), toY(pyramid.top)];
    context.rect(x0, y0, toX(pyramid.set.width) - x0, toY(pyramid.set.height) - y0);
    context.clip();
    // Pixels larger than the screen's are shown as squares.
    context.imageSmoothingEnabled = scale < 2;
    context.imageSmoothingQuality = "high";
    const current = levelInUse();
    let inView = 0;
    for (let at = pyramid.coarsest; at >= current; at -= 1) {
      const level = pyramid.levels[at];
      const seen = range(level, 0);
      for (let row = seen.top; row <= seen.bottom; row += 1) {
        for (let column = seen.first; column <= seen.last; column += 1) {
          const tile = tiles.get(key(at, column, row));
          const place = pyramid.region(level, column, row);
          const grow = 2 ** at;
          const [left, top] = [toX(place.x * grow), toY(place.y * grow)];
          const [right, bottom] = [toX((place.x + place.width) * grow), toY((place.y + place.height) * grow)];
          if (at === current) inView += 1;
          if (tile && tile.state === "there") context.drawImage(tile.image, left, top, right - left, bottom - top);
          if (at === current && byId("outlines").checked) {
            context.lineWidth = Math.max(1, density);
            context.strokeStyle = tile && tile.state === "there" ? "#ffb000" : "#d0402a";
            context.strokeRect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
          }
        }
      }
    }
    context.restore();
    if (byId("outlines").checked) {
      byId("counts").textContent =
        `level ${current} · ${inView} in view · ${counts.loads} loads · ${(counts.bytes / 1e6).toFixed(2)} MB · `
        + `${[...tiles.values()].filter((tile) => tile.state === "there").length} kept`;
    }
  }

  function showProblem() {
    const { extension } = pyramid.set;
    byId("problem").textContent = extension === "heic"
      ? "This browser does not show HEIC; use Safari 17 or later. The tiles themselves are fine for programs that read HEIF."
      : `${counts.failed} tile${counts.failed === 1 ? "" : "s"} could not be shown: missing, or this browser does not show ${extension.toUpperCase()}.`;
    byId("problem").hidden = false;
  }

  // Pointers. One drags, or turns the page if there is nothing to drag; two pinch. Once two have been down, nothing
  // turns the page until all are up, so that the end of a pinch does not count as a swipe.
  const pointers = new Map();
  let gesture = null;
  const local = (event) => {
    const box = stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };

  stage.addEventListener("pointerdown", (event) => {
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, local(event));
    if (pointers.size === 1) gesture = { kind: isFitted ? "swipe" : "drag", from: local(event), at: local(event) };
    if (pointers.size === 2) gesture = { kind: "pinch", last: spread() };
    stage.classList.add("dragging");
  });
  stage.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const now = local(event);
    pointers.set(event.pointerId, now);
    if (gesture.kind === "pinch" && pointers.size === 2) {
      const next = spread();
      zoom(next.distance / Math.max(gesture.last.distance, 1), next);
      pan(next.x - gesture.last.x, next.y - gesture.last.y);
      gesture.last = next;
    } else if (gesture.kind === "drag") {
      pan(now.x - gesture.at.x, now.y - gesture.at.y);
      gesture.at = now;
    }
  });
  const lift = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (gesture.kind === "swipe" && pointers.size === 0 && event.type === "pointerup") {
      const [dx, dy] = [local(event).x - gesture.from.x, local(event).y - gesture.from.y];
      if (Math.abs(dx) > Math.max(stillness * 5, 2 * Math.abs(dy))) show(index - Math.sign(dx));
    }
    if (pointers.size === 1 && gesture.kind === "pinch") {
      const [left] = pointers.values();
      gesture = { kind: "drag", from: left, at: left };
    }
    if (pointers.size === 0) {
      gesture = null;
      stage.classList.remove("dragging");
    }
  };
  stage.addEventListener("pointerup", lift);
  stage.addEventListener("pointercancel", lift);
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    zoom(2 ** (-event.deltaY * lines / 400), local(event));
  }, { passive: false });
  stage.addEventListener("dblclick", (event) => zoom(2, local(event)));

  const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = arrows[event.key];
    if (event.key === "+" || event.key === "=") zoom(Math.SQRT2);
    else if (event.key === "-") zoom(Math.SQRT1_2);
    else if (event.key === "0") fit();
    else if (event.key === "1") zoom(1 / view.scale);
    else if (event.key === "PageUp") show(index - 1);
    else if (event.key === "PageDown") show(index + 1);
    // If the whole picture is visible there is nothing to move, and arrows turn the page.
    else if (arrow && (isFitted || event.shiftKey) && arrow[0]) show(index - arrow[0]);
    else if (arrow) pan(arrow[0] * size().width / 4, arrow[1] * size().height / 4);
    else if (event.key === "t") byId("outlines").click();
    else return;
    event.preventDefault();
  });

  byId("in").onclick = () => zoom(2);
  byId("out").onclick = () => zoom(0.5);
  byId("fit").onclick = fit;
  byId("full").onclick = () => zoom(1 / view.scale);
  byId("previous").onclick = () => show(index - 1);
  byId("next").onclick = () => show(index + 1);
  byId("outlines").onchange = () => {
    byId("counts").hidden = !byId("outlines").checked;
    draw();
  };
  new ResizeObserver(() => { if (pyramid) { if (isFitted) fit(); else changed(); } }).observe(stage);

  if (sets.length > 0) show(0);
})();
