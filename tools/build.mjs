import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, gzipSync } from "node:zlib";
import { asciiOutput, checkedNode, datesOfLogRotation, targetOfLibsql, unusedParts } from "./bundle-plugins.mjs";
import { checkout } from "./setup/checkout.mjs";
import { fingerprint } from "./setup/fingerprint.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { SetUpError } from "./setup/set-up-error.mjs";

/** Inputs of a build; a change in any of them requires a new build. */
const INPUTS = [
  "core",
  "main",
  "client",
  "cli",
  "preload",
  "renderer",
  "tools/package/icons",
  "resources/icons",
  "tools/build.mjs",
  "tools/bundle-plugins.mjs",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

/**
 * The bundles that run under Node or in Electron's main process, by name below dist. The command line is one file: it
 * is started for every command, and fewer files start faster.
 * @type {readonly { entries: Readonly<Record<string, string>>, format: "esm" | "cjs", extension: string, onlyElectron?: boolean, inside?: readonly string[], plugins?: readonly ((root: string) => Promise<import("rolldown").Plugin>)[] }[]}
 */
const BUNDLES = [
  { entries: { "main/program": "main/entry/program.ts" }, format: "esm", extension: "js" },
  // One bundle, so that the relay is packed once. CommonJS, whose compiled code the command line can keep.
  {
    entries: {
      "main/serve": "main/entry/headless.ts",
      "main/history-index": "main/entry/history-index.ts",
      "main/local": "main/entry/local.ts",
      "main/desktop": "main/entry/desktop.ts",
    },
    format: "cjs",
    extension: "cjs",
    inside: ["libsql"],
    plugins: [async () => targetOfLibsql],
  },
  // Separate, so that its process loads nothing of the relay.
  { entries: { "shell-host/shell-host": "main/entry/shell-host.ts" }, format: "esm", extension: "js" },
  // CommonJS, which Node starts sooner.
  {
    entries: { "cli/program": "cli/main.ts" },
    format: "cjs",
    extension: "js",
    plugins: [prebuiltCommands, async () => checkedNode],
  },
  { entries: { "cli/quick-post": "cli/connect/post-to-socket.ts" }, format: "cjs", extension: "cjs" },
  {
    entries: {
      "cli-docs/docs": "cli/help/docs.ts",
      "cli-docs/settings": "renderer/ui/settings-doc.ts",
      "cli-docs/man-pages": "cli/help/man-pages.ts",
      "cli-docs/completions": "cli/completion/scripts.ts",
    },
    format: "esm",
    extension: "js",
  },
  // A sandboxed preload script can load nothing but `electron`, and only as CommonJS.
  { entries: { "preload/preload": "preload/preload.ts" }, format: "cjs", extension: "cjs", onlyElectron: true },
];

/**
 * Builds the app into dist unless dist was built from the same inputs. Skips entries that do not exist.
 * @param {{ force?: boolean, log: (line: string) => void, root?: string }} options
 * @returns {Promise<boolean>} whether anything was built
 */
export async function build({ force = false, log, root = checkout }) {
  const stampFile = path.join(root, "dist", ".built-from");
  const stamp = fingerprint(root, INPUTS);
  if (!force && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return false;

  const started = performance.now();
  rmSync(stampFile, { force: true });
  const written = await Promise.all([
    ...BUNDLES.map((bundle) => bundleWith(bundle, { root, to: path.join(root, "dist"), sourcemap: true })),
    buildRenderer(root),
  ]).catch((cause) => {
    throw new SetUpError(`The build failed.\n${cause instanceof Error ? cause.message : cause}`, { cause });
  });
  removeStale(root, new Set([...written.flat(), markCommonJs(root), ...compressDocsViewer(root), ...copyPlayer(root)]));
  if (existsSync(path.join(root, "dist"))) writeFileSync(stampFile, stamp);
  log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return true;
}

/**
 * Bundles some of the programs as `build` does it, without source maps, for tests that start copies of them.
 * @param {readonly string[]} names entries of BUNDLES, each the only one or the first of its bundle
 * @param {string} to folder that becomes their `dist`
 */
export async function bundlePrograms(names, to) {
  const wanted = names.map((name) => BUNDLES.find(({ entries }) => Object.keys(entries)[0] === name));
  await Promise.all(
    wanted.map((bundle, index) => {
      if (bundle === undefined) throw new Error(`The build has no bundle ${names[index]}.`);
      return bundleWith(bundle, { root: checkout, to, sourcemap: false });
    }),
  );
}

/**
 * @param {typeof BUNDLES[number]} bundle
 * @param {{ root: string, to: string, sourcemap: boolean }} options
 * @returns {Promise<string[]>} names of the written files, below `to`
 */
async function bundleWith(
  { entries, format, extension, onlyElectron = false, inside = [], plugins = [] },
  { root, to, sourcemap },
) {
  const present = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(path.join(root, file))));
  if (Object.keys(present).length === 0) return [];
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: root,
    input: present,
    platform: "node",
    plugins: [datesOfLogRotation, unusedParts, asciiOutput, ...(await Promise.all(plugins.map((make) => make(root))))],
    external: onlyElectron ? ["electron"] : ["electron", ...nativeModules(root, inside)],
    // Its CommonJS files load each other in a way that no bundler follows.
    resolve: { alias: { "jsonc-parser": path.join(root, "node_modules/jsonc-parser/lib/esm/main.js") } },
    // An unresolved import would fail only when the app runs.
    onLog(level, message, report) {
      if (message.code === "UNRESOLVED_IMPORT") throw new Error(message.message);
      report(level, message);
    },
  });
  try {
    const { output } = await bundle.write({
      dir: to,
      format,
      // Code that is kept compiled (cli/connect/load-bundle.ts) has no `import()` on Node 20.
      ...(format === "cjs" ? { dynamicImportInCjs: false } : {}),
      sourcemap,
      comments: false,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `${folderOf(present)}/chunks/[name]-[hash].${extension}`,
    });
    return output.map(({ fileName }) => fileName);
  } finally {
    await bundle.close();
  }
}

/**
 * Embeds the rows of all commands in the command line as data: declaring them takes longer than sending one.
 * @param {string} root
 * @returns {Promise<import("rolldown").Plugin>}
 */
export async function prebuiltCommands(root) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({ cwd: root, input: "cli/parse/prebuilt-table.ts", platform: "node" });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const { prebuiltTables } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  const tables = new Map(Object.entries(prebuiltTables()).map(([name, code]) => [path.join(root, name), code]));
  return {
    name: "prebuilt-commands",
    load(id) {
      const code = tables.get(path.resolve(id));
      return code === undefined ? null : { code, moduleType: "js" };
    },
  };
}

/** The pages of the app, by Vite, into dist/renderer. @param {string} root @returns {Promise<string[]>} */
async function buildRenderer(root) {
  const configFile = path.join(root, "renderer", "vite.config.ts");
  if (!existsSync(configFile)) return [];
  const vite = await import("vite");
  await vite.build({ configFile, logLevel: "warn" });
  await compressAssets(path.join(root, "dist", "renderer", "assets"));
  copyPageIcons(root);
  return [];
}

/** The icons of an installed session page. @param {string} root */
function copyPageIcons(root) {
  const to = path.join(root, "dist", "renderer", "icons");
  mkdirSync(to, { recursive: true });
  for (const size of [256, 512]) {
    copyFileSync(path.join(root, "tools", "package", "icons", `${size}x${size}.png`), path.join(to, `${size}.png`));
  }
  copyFileSync(path.join(root, "resources", "icons", "maskable-512.png"), path.join(to, "maskable-512.png"));
}

/** Smaller files gain nothing from compression. */
const LEAST_BYTES = 1024;

/** Writes the compressed forms of scripts and style sheets beside them, for the relay to serve. @param {string} folder */
async function compressAssets(folder) {
  const files = readdirSync(folder).filter((name) => /\.(?:css|js|svg)$/.test(name));
  await Promise.all(
    files.map(async (name) => {
      const content = readFileSync(path.join(folder, name));
      if (content.length < LEAST_BYTES) return;
      const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      writeFileSync(path.join(folder, `${name}.br`), await promisify(brotliCompress)(content, { params: size }));
      writeFileSync(path.join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

/** Names the format of the command line's files, which the package declares as modules. @param {string} root */
function markCommonJs(root) {
  writeFileSync(path.join(root, "dist", "cli", "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
  return "cli/package.json";
}

/**
 * The viewer of the API description as its package ships it, with our colours and type, compressed; the fonts also for
 * plugins. Returns the files' names.
 * @param {string} root
 */
function compressDocsViewer(root) {
  const read = (/** @type {string[]} */ ...parts) => readFileSync(path.join(root, ...parts));
  const font = (/** @type {string} */ family, /** @type {string} */ name) => {
    const bytes = read("node_modules", "@fontsource-variable", name, "files", `${name}-latin-wght-normal.woff2`);
    return `@font-face{font-family:"${family}";font-weight:100 900;src:url(data:font/woff2;base64,${bytes.toString("base64")})}`;
  };
  const fonts = Buffer.from(font("Inter Variable", "inter") + font("JetBrains Mono Variable", "jetbrains-mono"));
  const files = {
    "viewer.js.gz": [read("node_modules", "swagger-ui-dist", "swagger-ui-bundle.js")],
    "viewer.css.gz": [
      read("node_modules", "swagger-ui-dist", "swagger-ui.css"),
      fonts,
      read("renderer", "ui", "tokens.css"),
      read("renderer", "ui", "api-viewer.css"),
    ],
  };
  const to = path.join(root, "dist", "docs");
  mkdirSync(to, { recursive: true });
  for (const [name, parts] of Object.entries(files)) {
    writeFileSync(path.join(to, name), gzipSync(Buffer.concat(parts), { level: 9 }));
  }
  writeFileSync(path.join(to, "fonts.css"), fonts);
  return [...Object.keys(files), "fonts.css"].map((name) => `docs/${name}`);
}

/** The player of recordings, which exports of the history bring along. Returns the files' names. @param {string} root */
function copyPlayer(root) {
  const to = path.join(root, "dist", "player");
  mkdirSync(to, { recursive: true });
  const names = ["asciinema-player.min.js", "asciinema-player.css"];
  for (const name of names) {
    const source = path.join(root, "node_modules", "asciinema-player", "dist", "bundle", name);
    writeFileSync(path.join(to, name), readFileSync(source));
  }
  return names.map((name) => `player/${name}`);
}

/**
 * Modules with native code, and patterns for what lies inside them: exactly the run-time dependencies.
 * @param {string} root
 * @param {readonly string[]} [inside] those that are bundled none the less, of which only the native parts stay outside
 */
export function nativeModules(root, inside = []) {
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return Object.keys(dependencies)
    .filter((name) => !inside.includes(name))
    .map((name) => new RegExp(`^${name}(/.*)?$`));
}

/** @param {Readonly<Record<string, string>>} entries */
function folderOf(entries) {
  return Object.keys(entries)[0]?.split("/")[0] ?? "shared";
}

/**
 * Removes files of earlier builds after the new ones are in place, so that dist stays usable meanwhile.
 * @param {string} root
 * @param {ReadonlySet<string>} written
 */
function removeStale(root, written) {
  for (const folder of ["main", "shell-host", "cli", "cli-docs", "preload", "docs"]) {
    const place = path.join(root, "dist", folder);
    if (!existsSync(place)) continue;
    for (const entry of readdirSync(place, { withFileTypes: true, recursive: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(path.join(root, "dist"), file).split(path.sep).join("/");
      if (entry.isFile() && !written.has(name)) rmSync(file);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await mainProgram(async ({ log }) => void (await build({ force: true, log })));
}
