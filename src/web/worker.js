// The library in a thread of its own: a message has a module, or a call; the answer has the same number.
"use strict";
const ROOM = 1 << 20, from = new TextDecoder(), utf8 = new TextEncoder();
let library, room, now;

// An error inside the module leaves it unusable, so every call that fails so gets a new one.
function start(module) {
  const instance = new WebAssembly.Instance(module, {});
  library = instance.exports;
  room = library.tabiya_memory(2 * ROOM);
}

function call(name, args) {
  let at = room + ROOM;
  const value = arg => {
    if (typeof arg !== "string") return arg;
    const bytes = utf8.encode(arg.replaceAll("\0", " ") + "\0");
    if (at + bytes.length > room + 2 * ROOM) throw new Error("this text is too long");
    new Uint8Array(library.memory.buffer).set(bytes, at);
    at += bytes.length;
    return at - bytes.length;
  };
  const length = library["tabiya_" + name](...args.map(value), room, ROOM);
  const size = Math.min(length < 0 ? -1 - length : length, ROOM - 1);
  const text = from.decode(new Uint8Array(library.memory.buffer, room, size));
  if (length < 0) throw new Error(text);
  return text;
}

// The count below a move.
const below = (game, fen, move, depth) =>
  call("perft", [game, JSON.parse(call("position", [game, fen, move])).fen, depth, 0, 0]);

onmessage = ({ data: { module, number, name, args } }) => {
  if (module) { now = module; start(module); return; }
  try {
    postMessage({ number, answer: name === "below" ? below(...args) : call(name, args) });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) start(now);
    postMessage({ number, error: error.message });
  }
};
