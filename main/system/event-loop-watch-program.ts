/**
 * The program of the thread that watches the event loop. As text, because it is the same from the source, in the bundles and
 * in the packaged app, and needs nothing but Node.
 */
export const watchProgram = `
const { parentPort, workerData } = require("node:worker_threads");
const { renameSync, writeFileSync } = require("node:fs");
const { beats, limitMs, file, pid } = workerData;
/** How often the end of a stall is looked for. */
const END_MS = 50;
/** How long a stack is waited for. */
const STACK_MS = 1500;
const MOST_FRAMES = 20;
const last = new BigInt64Array(beats);
const now = () => process.hrtime.bigint();
const msSince = (time) => Number(now() - time) / 1e6;
let count = 0;
let longestMs = 0;

function look(after) {
  const due = now() + BigInt(Math.round(after * 1e6));
  setTimeout(() => {
    const beat = Atomics.load(last, 0);
    const age = msSince(beat);
    // Where this thread did not run either, the machine slept or the process was stopped.
    if (msSince(due) > limitMs / 2) look(limitMs);
    else if (age < limitMs) look(limitMs - age);
    else void watch(beat, new Date(Date.now() - age).toISOString());
  }, Math.max(1, Math.ceil(after)));
}

async function watch(beat, at) {
  const lasts = () => Atomics.load(last, 0) === beat;
  write({ since: at, stack: [] });
  const stack = await stackOfMainThread(lasts);
  if (lasts()) write({ since: at, stack });
  while (lasts()) await new Promise((resolve) => setTimeout(resolve, END_MS));
  const ms = Math.round(Number(Atomics.load(last, 0) - beat) / 1e6);
  count += 1;
  longestMs = Math.max(longestMs, ms);
  write(undefined);
  parentPort.postMessage({ at, ms, stack });
  look(limitMs);
}

/** The debugger stops JavaScript, in a regular expression too, and knows each frame; not native code. It is off at all other times. */
function stackOfMainThread(lasts) {
  return new Promise((resolve) => {
    let session;
    const finish = (stack) => {
      clearTimeout(timer);
      try { session?.disconnect(); } catch {}
      resolve(lasts() ? stack.slice(0, MOST_FRAMES).map(frameText) : []);
    };
    const timer = setTimeout(() => finish([]), STACK_MS);
    try {
      session = new (require("node:inspector").Session)();
      session.connectToMainThread();
      pausedStack(session, finish);
    } catch {
      finish([]);
    }
  });
}

function pausedStack(session, finish) {
  const scripts = new Map();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => scripts.set(scriptId, url));
  session.on("Debugger.paused", ({ params }) => {
    session.post("Debugger.resume");
    finish(params.callFrames.map(({ functionName, location }) => ({
      functionName, url: scripts.get(location.scriptId) ?? "", lineNumber: location.lineNumber, columnNumber: location.columnNumber,
    })));
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
}

function frameText({ functionName, url, lineNumber, columnNumber }) {
  const place = url.split(/[\\\\/]/).slice(-2).join("/");
  return (functionName || "(anonymous)") + " (" + place + ":" + (lineNumber + 1) + ":" + (columnNumber + 1) + ")";
}

function write(ongoing) {
  try {
    writeFileSync(file + ".new", JSON.stringify({ pid, count, longestMs, ongoing }) + "\\n", { mode: 0o600 });
    renameSync(file + ".new", file);
  } catch {}
}

look(limitMs);
`;
