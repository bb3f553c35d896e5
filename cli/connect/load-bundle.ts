import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { constants, Script } from "node:vm";
import { crc32 } from "node:zlib";

/** The code is kept once the process has run for this long: by then the functions of a start are compiled too. */
const KEEP_AFTER_MS = 2_000;
const CHECKSUM_BYTES = 4;

interface Loaded {
  readonly module: { exports: unknown };
  /** What the compiled code is kept from, if none was kept that this version of Node takes. */
  readonly fresh: { readonly script: Script; readonly cache: string } | undefined;
}

/**
 * Loads a CommonJS bundle with its chunks. Compiling the relay takes longer than starting it, so the compiled code is
 * kept beside each file, and used as long as the file and Node are the same. Where it cannot be kept, as in a package, or
 * Node refuses it, the bundle is compiled.
 *
 * @returns the module's exports
 * @throws the system's error for a file that cannot be read
 */
export function loadBundle(file: string): unknown {
  const files = new Map<string, Loaded>();
  const exported = load(file, files);
  const fresh = [...files.values()].flatMap((one) => one.fresh ?? []);
  if (fresh.length > 0) {
    const keep = () => {
      clearTimeout(timer);
      process.off("exit", keep);
      for (const { script, cache } of fresh) keepCode(script, cache);
    };
    const timer = setTimeout(keep, KEEP_AFTER_MS).unref();
    process.once("exit", keep);
  }
  return exported;
}

function load(file: string, files: Map<string, Loaded>): unknown {
  const known = files.get(file);
  if (known !== undefined) return known.module.exports;
  const { mtimeMs, size } = statSync(file);
  const cache = `${file}.${process.versions.v8}-${Math.trunc(mtimeMs)}-${size}.cache`;
  const cachedData = keptCode(cache);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "utf8")}\n})`,
    {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  const isKept = cachedData !== undefined && script.cachedDataRejected === false;
  const module = { exports: {} };
  files.set(file, { module, fresh: isKept ? undefined : { script, cache } });
  const outside = createRequire(file);
  const inside = (id: string): unknown => (id.startsWith(".") ? load(resolve(dirname(file), id), files) : outside(id));
  script
    .runInThisContext()
    .call(module.exports, module.exports, Object.assign(inside, outside), module, file, dirname(file));
  return module.exports;
}

/** Returns kept code if it is whole: Node would run what a power cut has left of it. */
function keptCode(cache: string): Buffer | undefined {
  try {
    const bytes = readFileSync(cache);
    const code = bytes.subarray(CHECKSUM_BYTES);
    return bytes.readUInt32BE(0) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Another process may be reading or writing it too. Where it cannot be written, as in a package, nothing is kept. */
function keepCode(script: Script, cache: string): void {
  const code = script.createCachedData();
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(code));
  const draft = `${cache}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.concat([checksum, code]));
    renameSync(draft, cache);
  } catch {
    removeQuietly(draft);
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Its folder is none, or cannot be written.
  }
}
