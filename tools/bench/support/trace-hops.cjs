/**
 * Loaded with `--require` into the processes that a key passes: notes when bytes are read from and written to each kind of
 * handle (TCP, local socket, terminal) and writes the notes to `$BENCH_HOPS/PID.json` at the exit. Product code knows
 * nothing of it.
 */
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { Socket } = require("node:net");
const path = require("node:path");
const { Readable } = require("node:stream");

/** Notes of a process that is not stopped in time must not fill its memory. */
const MOST_NOTES = 200_000;
const folder = process.env.BENCH_HOPS;
/** @type {[name: string, microseconds: number][]} */
const notes = [];

/** @param {string} name */
function note(name) {
  if (notes.length < MOST_NOTES) notes.push([name, Number(process.hrtime.bigint()) / 1000]);
}

/**
 * The kind of a socket's handle: `TCP`, `Pipe` or `TTY`.
 * @param {{ _handle?: object | null }} socket
 */
function kindOf(socket) {
  return socket._handle?.constructor.name ?? "closed";
}

/** Begins to take notes. */
function start() {
  const socket = /** @type {any} */ (Socket.prototype);
  const { _writeGeneric: write } = socket;
  socket.push = function (/** @type {Buffer | null} */ piece, /** @type {BufferEncoding} */ encoding) {
    if (piece !== null) note(`read ${kindOf(this)}`);
    return Readable.prototype.push.call(this, piece, encoding);
  };
  socket._writeGeneric = function (/** @type {unknown[]} */ ...args) {
    note(`write ${kindOf(this)}`);
    return write.apply(this, args);
  };
  const { writeSync } = fs;
  // The terminals are what these processes write synchronously while keys are typed.
  fs.writeSync = /** @type {typeof writeSync} */ (
    (/** @type {Parameters<typeof writeSync>} */ ...args) => {
      note("write TTY");
      return writeSync(...args);
    }
  );
  syncBuiltinESMExports();
}

if (folder !== undefined) {
  start();
  process.on("exit", () => fs.writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(notes)));
}

module.exports = { notes, start };
