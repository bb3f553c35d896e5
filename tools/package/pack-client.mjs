/**
 * `node tools/package/pack-client.mjs [--check]`: packs `@patchbay/client` into dist/client: the bundle, its types without zod, README
 * and licence. `--check` also has publint and Are the Types Wrong read the packed file. They are installed for the run,
 * as by `npm run test:openapi`.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { prebuiltCommands } from "../build.mjs";
import { checkout } from "../setup/checkout.mjs";
import { mainProgram } from "../setup/main-program.mjs";
import { run, runModule, runNpm } from "../setup/run.mjs";

const TOOLS = ["publint@0.3.15", "@arethetypeswrong/cli@0.18.5"];
const FETCH = path.join(checkout, "client", "published", "fetch.ts");
const HTTP = path.join(checkout, "client", "http.ts");
const DECLARED = path.join(checkout, "client", "declared-results.ts");

/**
 * Writes the package's files and packs them.
 * @param {{ to: string, signal: AbortSignal }} options `to`: a folder for the files and the packed file
 * @returns {Promise<string>} the packed file
 */
export async function packClient({ to, signal }) {
  const files = path.join(to, "package");
  rmSync(files, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  for (const name of ["README.md", "package.json"]) {
    copyFileSync(path.join(checkout, "tools", "package", "client", name), path.join(files, name));
  }
  copyFileSync(path.join(checkout, "LICENSE"), path.join(files, "LICENSE"));
  await Promise.all([writeBundle(files), writeTypes(files, { to, signal })]);
  const { name, version } = JSON.parse(readFileSync(path.join(files, "package.json"), "utf8"));
  const code = await runNpm(["pack", "--silent", "--pack-destination", to], { signal, cwd: files, stdio: "ignore" });
  if (code !== 0) throw new Error(`npm pack ended with exit code ${code}`);
  return path.join(to, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
}

/** One module for Node and browsers: requests by `fetch`, and the declarations as data. @param {string} files */
async function writeBundle(files) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: checkout,
    input: "client/published/index.ts",
    platform: "neutral",
    resolve: { mainFields: ["module", "main"], conditionNames: ["import", "default"] },
    plugins: [
      await prebuiltCommands(checkout),
      {
        name: "fetch",
        load: (id) =>
          ({
            [HTTP]: `export * from ${JSON.stringify(FETCH)};`,
            // It has no remotes, and carries no declarations.
            [DECLARED]: "export const findMismatch = () => undefined;",
          })[path.resolve(id)] ?? null,
      },
    ],
    onLog(level, message, report) {
      // Nothing of Node may be left.
      if (message.code === "UNRESOLVED_IMPORT") throw new Error(message.message);
      report(level, message);
    },
  });
  await bundle.write({
    file: path.join(files, "index.js"),
    format: "esm",
    minify: true,
    comments: false,
    codeSplitting: false,
  });
  await bundle.close();
}

/** @param {string} files @param {{ to: string, signal: AbortSignal }} options */
async function writeTypes(files, { to, signal }) {
  const emitted = path.join(to, "types");
  const code = await runModule("typescript/bin/tsc", ["-p", "client/tsconfig.package.json", "--outDir", emitted], {
    signal,
  });
  if (code !== 0) throw new Error("The types of @patchbay/client could not be written.");
  const types = await methodTypes();
  /** @param {string} name */
  const read = (name) => readFileSync(path.join(emitted, name), "utf8");
  /** @param {string} text */
  const flat = (text) =>
    text
      .replaceAll(/"[./]+core\/protocol\/errors\.[jt]s"/g, '"./protocol-errors.js"')
      .replace(/"\.\/ids\.[jt]s"/, '"./methods.js"')
      .replaceAll(/"\.{1,2}\/(errors|methods)\.[jt]s"/g, '"./$1.js"');
  writeFileSync(path.join(files, "index.d.ts"), flat(read("client/published/index.d.ts")));
  writeFileSync(path.join(files, "errors.d.ts"), flat(read("client/errors.d.ts")));
  writeFileSync(path.join(files, "protocol-errors.d.ts"), flat(read("core/protocol/errors.d.ts")));
  writeFileSync(path.join(files, "methods.d.ts"), types);
  rmSync(emitted, { recursive: true });
}

/** @returns {Promise<string>} */
async function methodTypes() {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({ cwd: checkout, input: "client/published/method-types.ts", platform: "node" });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const { methodTypes } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  return methodTypes();
}

/** @param {string} packed @param {{ log: (line: string) => void, signal: AbortSignal }} context */
async function checkPackage(packed, { log, signal }) {
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-pack-"));
  try {
    writeFileSync(path.join(folder, "package.json"), "{}");
    const installed = await runNpm(["install", "--no-audit", "--no-fund", "--silent", ...TOOLS], {
      signal,
      cwd: folder,
    });
    if (installed !== 0) throw new Error("publint and Are the Types Wrong could not be installed.");
    /** @param {string} script @param {string[]} args */
    const tool = async (script, args) => {
      const code = await run(process.execPath, [path.join(folder, "node_modules", script), ...args], { signal });
      if (code !== 0) throw new Error(`${script} refuses the package.`);
    };
    await tool("publint/src/cli.js", ["--strict", packed]);
    await tool("@arethetypeswrong/cli/dist/index.js", ["--profile", "esm-only", packed]);
    log("publint and Are the Types Wrong accept the package");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await mainProgram(async (context) => {
    const packed = await packClient({ to: path.join(checkout, "dist", "client"), signal: context.signal });
    context.log(`packed: ${path.relative(checkout, packed)}`);
    if (process.argv.includes("--check")) await checkPackage(packed, context);
    return 0;
  });
}
