// The page: it asks workers, each with the library, and shows what they answer.
"use strict";
const NAMED = [
  { "start position": "startpos", kiwipete: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position 3": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "position 4": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "position 5": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8" },
  { "by number": "" },
  { "start position": "startpos" },
];
const $ = id => document.getElementById(id);
const MOST_DEPTH = 20;
// `theirs` and `totals` are what is examined; their boxes keep what the user has typed.
const state = { game: 0, root: "startpos", path: [], depth: 3, theirs: "", totals: "" };
let position = null, from = "", counts = new Map(), wrong = new Map(), sortedBy = "move";
let task = 0, workers = [], questions = new Map(), asked = 0;

// Workers ---------------------------------------------------------------------------------------------------------
// The data of a script in base 85, which is smaller than base 64: five digits are four bytes.
const DIGITS = new Map([..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=>?@^_`{|}~"].map((digit, value) => [digit, value]));
function unpacked(id) {
  const { textContent: text, dataset: { size } } = $(id), view = new DataView(new ArrayBuffer(text.length / 5 * 4));
  for (let at = 0; at < text.length; at += 5) {
    let word = 0;
    for (let i = at; i < at + 5; ++i) word = 85 * word + DIGITS.get(text[i]);
    view.setUint32(at / 5 * 4, word);
  }
  return new Response(new Blob([view.buffer.slice(0, size)]).stream().pipeThrough(new DecompressionStream("gzip")));
}
const compiled = unpacked("module").arrayBuffer().then(WebAssembly.compile);
const code = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));

function newWorker(module) {
  const worker = new Worker(code);
  worker.postMessage({ module });
  worker.onmessage = ({ data: { number, answer, error } }) => {
    const { resolve, reject } = questions.get(number) ?? {};
    questions.delete(number);
    if (error === undefined) resolve?.(answer); else reject?.(new Error(error));
  };
  return worker;
}
async function start() {
  const module = await compiled;
  if (!workers.length) workers = Array.from({ length: navigator.hardwareConcurrency || 1 }, () => newWorker(module));
}
// Ends all work at once; what was asked is never answered.
function stop() {
  ++task;
  if (questions.size) { workers.forEach(worker => worker.terminate()); workers = []; }
  questions.clear();
  $("bar").hidden = $("cancel").hidden = $("wait").hidden = true;
}
async function ask(name, ...args) { await start(); return askOne(0, name, args); }
function askOne(index, name, args) {
  return new Promise((resolve, reject) => {
    questions.set(++asked, { resolve, reject });
    workers[index].postMessage({ number: asked, name, args });
  });
}
const describe = (fen, moves) => ask("position", state.game, fen, moves).then(JSON.parse);

// What is shown -----------------------------------------------------------------------------------------------------
const grouped = n => n.toString().replace(/\B(?=(\d{3})+$)/g, ",");
function element(tag, text, name, action) {
  const made = Object.assign(document.createElement(tag), { textContent: text ?? "", className: name ?? "" });
  if (action) made.onclick = action;
  return made;
}
// Xiangqi's pieces, by FEN's letters: those of WXF, as in the list, and characters, red and black.
const PIECES = { R: "R俥車", N: "H傌馬", B: "E相象", A: "A仕士", K: "K帥將", C: "C炮砲", P: "P兵卒" };
const inCharacters = () => $("letters").value === "characters";
async function draw(move = "", said = "") {
  const mine = task, svg = await ask("picture", state.game, position.fen, move, said);
  if (mine !== task) return;
  $("board").innerHTML = svg;
  inUsersForm($("board"));
  mark();
}
// The pieces of a picture upright on a turned board, and in the letters of the list.
function inUsersForm(picture) {
  for (const text of picture.querySelectorAll(".f + text")) {
    const isBlack = text.parentNode.classList.contains("k");
    text.textContent = PIECES[text.textContent][inCharacters() ? 1 + isBlack : 0];
  }
  if (!picture.classList.contains("flip")) return;
  for (const piece of picture.querySelectorAll(".w, .b")) piece.setAttribute("transform", `${piece.getAttribute("transform")} rotate(180 12 12)`);
}
// Marks the piece that was chosen and the squares that it can move to.
function mark() {
  const svg = $("board").firstChild;
  if (!svg) return;
  for (const old of svg.querySelectorAll(".from, .to")) old.remove();
  if (!from) return;
  const ranks = Math.floor(svg.viewBox.baseVal.height / 24), first = state.game === 2 ? 0 : 1;
  const middle = square => [18 + 24 * (square.charCodeAt(0) - 97), 24 * (ranks - 1 - square.slice(1) + first) + 12];
  const [x, y] = middle(from), marks = [`<rect class="from" x="${x - 11}" y="${y - 11}" width="22" height="22"/>`];
  for (const square of targets()) {
    const [x, y] = middle(square);
    marks.push(`<circle class="to" cx="${x}" cy="${y}" r="3.5"/>`);
  }
  svg.insertAdjacentHTML("beforeend", marks.join(""));
}
function rows() {
  const made = position.moves.map(({ move, name, chinese }) => {
    const row = element("tr", "", wrong.has(move) ? "bad" : ""), cells = [0, 1, 2].map(() => element("td"));
    cells[0].append(element("button", move, "", () => play(move)));
    cells[0].firstChild.onfocus = row.onmouseenter = () => draw(move);
    cells[1].textContent = chinese && inCharacters() ? chinese : name;
    const count = counts.has(move) ? grouped(counts.get(move)) : "", { kind, theirs } = wrong.get(move) ?? {};
    cells[2].textContent = theirs ? `${count} ≠ ${grouped(theirs)}` : kind ? `${kind} (${count})` : count;
    row.append(...cells);
    return { move, row };
  });
  const by = { move: (a, b) => a.move < b.move ? -1 : 1, count: (a, b) => Number((counts.get(b.move) ?? 0n) - (counts.get(a.move) ?? 0n)) };
  const focused = [...$("list").rows].findIndex(row => row.contains(document.activeElement));
  $("list").replaceChildren(...made.sort(by[sortedBy]).map(({ row }) => row));
  if (focused >= 0) $("list").rows[focused]?.querySelector("button").focus();
  for (const head of document.querySelectorAll("[data-sort]")) {
    const order = head.dataset.sort === "count" ? "descending" : "ascending";
    head.parentNode.setAttribute("aria-sort", head.dataset.sort === sortedBy ? order : "none");
  }
}
// An error at its field, or none.
function report(id, message = "") {
  $(id + "-error").textContent = message;
  $(id).setAttribute("aria-invalid", message !== "");
}
function remember() {
  const { game, root, path, depth, theirs, totals } = state;
  const all = new URLSearchParams({ game, fen: root, moves: path.join(" "), depth });
  if (theirs) all.set("divide", theirs);
  if (totals) all.set("totals", totals);
  if (location.hash.slice(1) !== all.toString()) history.pushState(null, "", "#" + all);
}
function recall() {
  const all = new URLSearchParams(location.hash.slice(1));
  Object.assign(state, {
    game: all.get("game") ?? "0", root: all.get("fen") || "startpos", path: (all.get("moves") ?? "").split(" ").filter(Boolean),
    depth: all.get("depth") ?? "3", theirs: all.get("divide") ?? "", totals: all.get("totals") ?? "",
  });
  if (state.theirs || state.totals) for (const id of ["theirs", "totals"]) $(id).value = state[id];
}
// A whole number within a range; null, with an error at its field, if the text is none.
function whole(id, text, least, most) {
  const isRight = /^\d+$/.test(text) && +text >= least && +text <= most;
  report(id, isRight ? "" : `${id}: ${text || "nothing"}, expected a whole number from ${least} to ${most}`);
  return isRight ? +text : null;
}
const play = move => go([...state.path, move], Math.max(1, (+state.depth || 1) - 1));
// The square of the picture under the pointer.
function squareAt({ clientX, clientY }) {
  const svg = $("board").firstChild, { left, top, width, height } = svg.getBoundingClientRect(), all = svg.viewBox.baseVal;
  const turned = part => $("board").classList.contains("flip") ? 1 - part : part, ranks = Math.floor(all.height / 24);
  const file = Math.floor((turned((clientX - left) / width) * all.width - 6) / 24);
  const rank = ranks - 1 - Math.floor(turned((clientY - top) / height) * all.height / 24);
  return String.fromCharCode(97 + file) + (rank + (state.game === 2 ? 0 : 1));
}
const movesFrom = square => (position?.moves ?? []).filter(({ move }) => /^[a-i]\d+/.exec(move)[0] === square);
const targets = () => new Set(movesFrom(from).map(({ move }) => /^[a-i]\d+([a-i]\d+)/.exec(move)[1]));
// Plays the move from the square that was chosen before, if there is one; of promotions the user chooses one.
function playTo(square) {
  const found = movesFrom(from).filter(({ move }) => move.slice(from.length).replace(/[a-z]$/, "") === square);
  if (found.length === 1) play(found[0].move);
  if (found.length > 1) {
    const choices = found.map(({ move, name }) => element("button", name, "", () => play(move)));
    $("promotion").replaceChildren("Promote: ", ...choices, element("button", "Cancel", "", () => choose("")));
    $("promotion").hidden = false;
    choices[0].focus();
  }
  return found.length > 0;
}
function choose(square) {
  from = movesFrom(square).length ? square : "";
  $("promotion").hidden = true;
  mark();
}
function go(path, depth) { Object.assign(state, { path, depth, theirs: "", totals: "" }); show(); }

// Reads the position and counts below its moves, on all workers; then what the user has pasted is examined.
async function show() {
  stop();
  const mine = task, hadFocus = document.activeElement.closest("#list, #path");
  from = "";
  position = null;
  counts = new Map();
  wrong = new Map();
  for (const id of ["found", "path", "list"]) $(id).replaceChildren();
  for (const id of ["said", "total", "time", "fen-warning"]) $(id).textContent = "";
  for (const id of ["game", "number", "fen"]) report(id);
  $("promotion").hidden = $("copy").disabled = true;
  if (!["0", "1", "2"].includes(`${state.game}`)) {
    report("game", `game: ${state.game}, expected 0 (chess), 1 (Chess960) or 2 (xiangqi)`);
    $("board").replaceChildren();
    return;
  }
  state.game = +state.game;
  const depth = whole("depth", `${state.depth}`, 1, MOST_DEPTH);
  for (const id of ["game", "depth"]) $(id).value = state[id];
  $("named").replaceChildren(...Object.keys(NAMED[state.game]).map(name => new Option(name, name)), new Option("–", "–"));
  $("named").value = Object.keys(NAMED[state.game]).find(name => NAMED[state.game][name] === state.root) ?? "–";
  $("number").parentElement.hidden = state.game !== 1;
  $("letters").parentElement.hidden = state.game !== 2;
  try {
    position = await describe(state.root, state.path.join(" "));
  } catch (error) {
    if (mine !== task) return;
    $("board").replaceChildren();
    $("fen").value = state.root;
    report("fen", error.message);
    return;
  }
  if (mine !== task) return;
  remember();
  $("fen").value = position.fen;
  $("fen-warning").textContent = position.warning ?? "";
  $("said").textContent = position.outcome || (position.check ? "check" : "");
  if (state.path.length) {
    $("path").replaceChildren(...["Back to the position above", ...state.path].map((m, i) =>
      element("button", m, "", () => go(state.path.slice(0, i), state.depth + state.path.length - i))));
  }
  rows();
  if (hadFocus) ($("list").querySelector("button") ?? $("path").querySelector("button"))?.focus();
  draw();
  if (depth === null) return;
  state.depth = depth;
  $("total").textContent = "…";
  try { await count(mine); } catch (error) { if (mine === task) $("total").textContent = error.message; return; }
  if (mine !== task) return;
  if (state.theirs) await examine(mine, "compare", state.theirs); else if (state.totals) await examine(mine, "expect", state.totals);
}

async function count(mine) {
  const began = performance.now(), { fen, moves } = position, deep = state.depth > 5;
  // Deep counts are cut two plies below the root, so that the bar moves and all workers are busy to the end.
  const jobs = [];
  for (const { move } of moves) {
    counts.set(move, 0n);
    if (!deep) { jobs.push([move, fen, move]); continue; }
    const after = await describe(fen, move);
    if (mine !== task) return;
    for (const reply of after.moves) jobs.push([move, after.fen, reply.move]);
  }
  let next = 0, done = 0, total = 0n;
  const work = async index => {
    while (next < jobs.length) {
      const [move, before, last] = jobs[next++];
      const found = BigInt(await askOne(index, "below", [state.game, before, last, state.depth - (deep ? 2 : 1)]));
      if (mine !== task) return;
      counts.set(move, counts.get(move) + found);
      total += found;
      ++done;
      if (performance.now() - began > 150) {
        $("bar").hidden = $("cancel").hidden = false;
        $("bar").value = done / jobs.length;
        $("total").textContent = `${grouped(total)} so far`;
      }
    }
  };
  await Promise.all(workers.map((_, index) => work(index)));
  if (mine !== task) return;
  $("bar").hidden = $("cancel").hidden = true;
  rows();
  $("copy").disabled = false;
  $("total").textContent = `Nodes searched: ${grouped(total)}`;
  $("time").textContent = `${((performance.now() - began) / 1000).toFixed(2)} s`;
}

// The doctor --------------------------------------------------------------------------------------------------------
function diagnosis(answer, mine) {
  const made = answer.before.map(line => element("p", line, answer.right ? "good" : "bad"));
  for (const { line, shown } of answer.faults) {
    const box = element("div");
    box.append(element("strong", line));
    for (const { fen, path, move, sentence } of shown) {
      const picture = element("div"), moves = path.split(" ").filter(Boolean);
      ask("picture", state.game, fen, move, sentence).then(svg => {
        if (mine !== task) return;
        picture.innerHTML = svg;
        inUsersForm(picture);
      });
      box.append(element("p", sentence), picture, element("p", "Next: run this in your engine.", "soft"));
      box.append(element("pre", `position fen ${fen}\ngo perft 1`));
      box.append(element("button", "Show it here", "", () => { state.root = position.fen; go(moves, 1); }));
    }
    made.push(box);
  }
  return made;
}
async function examine(mine, name, text) {
  $("wait").hidden = false;
  $("wait").scrollIntoView({ block: "nearest" });
  let made;
  try {
    const answer = JSON.parse(await ask(name, state.game, position.fen, state.depth, text, 0, 0));
    if (mine !== task) return;
    made = diagnosis(answer, mine);
    wrong = new Map((answer.wrong ?? []).map(item => [item.move, item]));
    rows();
    const first = answer.wrong?.find(({ move }) => move);
    if (first) draw(first.move);
  } catch (error) { made = [element("p", error.message, "bad")]; }
  if (mine !== task) return;
  $("wait").hidden = true;
  $("found").replaceChildren(...made);
  $("found").scrollIntoView({ block: "nearest" });
}

// What the user does ------------------------------------------------------------------------------------------------
const again = changed => { Object.assign(state, { theirs: "", totals: "" }, changed); show(); };
$("game").onchange = () => again({ game: $("game").value, root: "startpos", path: [] });
$("named").onchange = () => { const fen = NAMED[state.game][$("named").value]; if (fen) again({ root: fen, path: [] }); };
$("number").onchange = async () => {
  const number = whole("number", $("number").value, 0, 959);
  if (number !== null) again({ root: await ask("chess960", number), path: [] });
};
$("fen").onchange = () => again({ root: $("fen").value.trim() || "startpos", path: [] });
$("fen").onkeydown = event => { if (event.key === "Enter") { event.preventDefault(); $("fen").blur(); } };
$("depth").onchange = () => again({ depth: $("depth").value.trim() });
$("flip").onclick = () => { $("board").classList.toggle("flip"); if (position) draw(); };
$("letters").onchange = () => { if (position) { rows(); draw(); } };
// A piece is dragged, or its square is clicked and then the other one.
$("board").onpointerdown = event => {
  if (!position) return;
  const square = squareAt(event);
  if (!playTo(square)) choose(square);
};
$("board").onpointerup = event => { if (position) playTo(squareAt(event)); };
$("compare").onclick = () => again({ theirs: $("theirs").value });
$("expect").onclick = () => again({ totals: $("totals").value });
$("totals").onkeydown = event => { if (event.key === "Enter") $("expect").click(); };
$("cancel").onclick = () => { stop(); $("total").textContent = "stopped"; };
$("give-up").onclick = () => { stop(); $("found").replaceChildren(element("p", "stopped", "soft")); };
$("download").onclick = async () => {
  const name = $("suite").value, text = (await unpacked("suites").json())[name];
  Object.assign(element("a"), { href: URL.createObjectURL(new Blob([text])), download: name.replace("/", "-") }).click();
};
$("copy").onclick = () => {
  const lines = [...counts].sort(([a], [b]) => a < b ? -1 : 1).map(([move, n]) => `${move}: ${n}\n`);
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0n);
  navigator.clipboard.writeText(`${lines.join("")}\nNodes searched: ${total}\n`);
};
for (const head of document.querySelectorAll("[data-sort]")) head.onclick = () => { sortedBy = head.dataset.sort; rows(); };
onpopstate = onhashchange = () => { recall(); show(); };
recall();
show();
