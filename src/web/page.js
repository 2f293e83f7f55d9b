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
const state = { game: 0, root: "startpos", path: [], depth: 3, theirs: "", totals: "" };
let position = null, from = "", counts = new Map(), sortedBy = "move", task = 0, workers = [], questions = new Map(), asked = 0;

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
  $("bar").hidden = $("cancel").hidden = true;
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
async function draw(move = "", said = "") {
  const svg = await ask("picture", state.game, position.fen, move, said);
  $("board").innerHTML = svg;
}
function rows(marks = new Map()) {
  const made = position.moves.map(({ move, name }) => {
    const row = element("tr", "", marks.has(move) ? "bad" : ""), cells = [0, 1, 2].map(() => element("td"));
    cells[0].append(element("button", move, "", () => play(move)));
    cells[0].firstChild.onfocus = row.onmouseenter = () => draw(move);
    cells[1].textContent = name;
    cells[2].textContent = (counts.has(move) ? grouped(counts.get(move)) : "") + (marks.get(move) ?? "");
    row.append(...cells);
    return { move, row };
  });
  const by = { move: (a, b) => a.move < b.move ? -1 : 1, count: (a, b) => Number((counts.get(b.move) ?? 0n) - (counts.get(a.move) ?? 0n)) };
  $("list").replaceChildren(...made.sort(by[sortedBy]).map(({ row }) => row));
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
  state.game = Math.min(2, Math.max(0, +all.get("game") || 0));
  state.root = all.get("fen") || "startpos";
  state.path = (all.get("moves") ?? "").split(" ").filter(Boolean);
  state.depth = Math.max(1, +all.get("depth") || 3);
  state.theirs = all.get("divide") ?? "";
  state.totals = all.get("totals") ?? "";
}
const play = move => go([...state.path, move], Math.max(1, state.depth - 1));
// The square of the picture under the pointer.
function squareAt({ clientX, clientY }) {
  const svg = $("board").firstChild, { left, top, width, height } = svg.getBoundingClientRect(), all = svg.viewBox.baseVal;
  const turned = part => $("board").classList.contains("flip") ? 1 - part : part, ranks = Math.floor(all.height / 24);
  const file = Math.floor((turned((clientX - left) / width) * all.width - 6) / 24);
  const rank = ranks - 1 - Math.floor(turned((clientY - top) / height) * all.height / 24);
  return String.fromCharCode(97 + file) + (rank + (state.game === 2 ? 0 : 1));
}
// Plays the move from the square that was chosen before, if there is one; a pawn becomes a queen.
function playTo(square) {
  const found = position?.moves.find(({ move }) => [from + square, from + square + "q"].includes(move));
  if (found) play(found.move);
  return found;
}
function go(path, depth) { Object.assign(state, { path, depth, theirs: "", totals: "" }); show(); }

// Reads the position and counts below its moves, on all workers; `then` is done with the counts.
async function show() {
  stop();
  const mine = task;
  from = "";
  remember();
  $("found").replaceChildren();
  for (const id of ["game", "depth", "theirs", "totals"]) $(id).value = state[id];
  $("named").replaceChildren(...Object.keys(NAMED[state.game]).map(name => new Option(name, name)), new Option("–", "–"));
  $("named").value = Object.keys(NAMED[state.game]).find(name => NAMED[state.game][name] === state.root) ?? "–";
  $("number").parentElement.hidden = state.game !== 1;
  $("total").textContent = "…";
  $("time").textContent = "";
  counts = new Map();
  try {
    position = await describe(state.root, state.path.join(" "));
  } catch (error) {
    if (mine === task) { $("said").replaceChildren(element("span", error.message, "bad")); $("list").replaceChildren(); $("total").textContent = ""; }
    return;
  }
  if (mine !== task) return;
  $("fen").value = position.fen;
  $("said").textContent = position.outcome || (position.check ? "check" : "");
  $("path").replaceChildren(...["root", ...state.path].map((m, i) =>
    element("button", m, "", () => go(state.path.slice(0, i), state.depth + state.path.length - i))));
  rows();
  draw();
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
      ask("picture", state.game, fen, move, sentence).then(svg => { if (mine === task) picture.innerHTML = svg; });
      box.append(element("p", sentence), picture, element("p", "Next: run this in your engine.", "soft"));
      box.append(element("pre", `position fen ${fen}\ngo perft 1`));
      box.append(element("button", "Show it here", "", () => { state.root = position.fen; go(moves, 1); }));
    }
    made.push(box);
  }
  return [...made, ...answer.after.map(line => element("p", line, "soft"))];
}
async function examine(mine, name, text) {
  $("found").replaceChildren(element("p", "…", "soft"));
  $("cancel").hidden = false;
  let made;
  try {
    const answer = JSON.parse(await ask(name, state.game, position.fen, state.depth, text, 0, 0));
    made = diagnosis(answer, mine);
    const mark = ({ move, kind, theirs }) => [move, theirs ? ` ≠ ${grouped(theirs)}` : ` ${kind}`];
    if (mine === task) rows(new Map((answer.wrong ?? []).map(mark)));
  } catch (error) { made = [element("p", error.message, "bad")]; }
  if (mine !== task) return;
  $("cancel").hidden = true;
  $("found").replaceChildren(...made);
}

// What the user does ------------------------------------------------------------------------------------------------
const again = changed => { Object.assign(state, { theirs: "", totals: "" }, changed); show(); };
$("game").onchange = () => again({ game: +$("game").value, root: "startpos", path: [] });
$("named").onchange = () => { const fen = NAMED[state.game][$("named").value]; if (fen) again({ root: fen, path: [] }); };
$("number").onchange = async () => again({ root: await ask("chess960", +$("number").value), path: [] });
$("fen").onchange = () => again({ root: $("fen").value, path: [] });
$("depth").onchange = () => again({ depth: Math.max(1, +$("depth").value || 1) });
$("flip").onclick = () => $("board").classList.toggle("flip");
// A piece is dragged, or its square is clicked and then the other one.
$("board").onpointerdown = event => { const square = squareAt(event); if (!playTo(square)) from = square; };
$("board").onpointerup = event => playTo(squareAt(event));
$("compare").onclick = () => { Object.assign(state, { theirs: $("theirs").value, totals: "" }); show(); };
$("expect").onclick = () => { Object.assign(state, { totals: $("totals").value, theirs: "" }); show(); };
$("totals").onkeydown = event => { if (event.key === "Enter") $("expect").click(); };
$("cancel").onclick = () => { stop(); $("total").textContent = "stopped"; $("found").replaceChildren(); };
$("suite").onchange = async () => {
  const name = $("suite").value, text = (await unpacked("suites").json())[name];
  if (text) Object.assign(element("a"), { href: URL.createObjectURL(new Blob([text])), download: name.replace("/", "-") }).click();
};
$("copy").onclick = () => {
  const lines = [...counts].sort(([a], [b]) => a < b ? -1 : 1).map(([move, n]) => `${move}: ${n}\n`);
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0n);
  navigator.clipboard.writeText(`${lines.join("")}\nNodes searched: ${total}\n`);
};
document.querySelectorAll("[data-sort]").forEach(button => { button.onclick = () => { sortedBy = button.dataset.sort; rows(); }; });
onpopstate = onhashchange = () => { recall(); show(); };
recall();
show();
