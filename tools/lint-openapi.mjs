/**
 * `npm run test:openapi`: lints the relay's OpenAPI description with Redocly, and compiles the types that
 * openapi-typescript makes of it. These tools weigh 130 MB, more than the rest of what the tests need, so they are no
 * dependencies: they are installed for the run into a temporary folder, in the versions named here. Where that cannot be
 * done, it says so and ends well.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { checkout } from "./setup/checkout.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { run, runNpm } from "./setup/run.mjs";

const TOOLS = ["@redocly/cli@2.77.0", "openapi-typescript@7.13.0", "typescript@5.9.3"];

/** As strict as a user's project can be, and nothing but what was generated. */
const STRICT = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: "es2022",
    module: "nodenext",
    types: [],
  },
  files: ["openapi.ts", "use.ts"],
};

/** A call as a user of the generated types writes it: parameters and result follow from the method. */
const USE = `import type { components } from "./openapi.ts";

type Methods = components["schemas"]["CommandMethods"];
declare function call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]>;

export async function use(): Promise<string> {
  const { shellId } = await call("createShell", { cwd: "/" });
  const { exitCode } = await call("waitFor", { id: shellId, exit: true });
  const request: components["schemas"]["CommandRequest"] = { method: "getTiles", params: {} };
  const tiles = await call("getTiles", {});
  // @ts-expect-error: exactly one of text, idle and exit
  await call("waitFor", { id: shellId });
  // @ts-expect-error: it reaches every client
  request satisfies components["schemas"]["BroadcastEventRequest"] & { target_client_id: number };
  const { value } = await call("getPluginState", { plugin: "p", key: "k" });
  return [exitCode, ...tiles.map(({ type }) => type), typeof value].join();
}
`;

await mainProgram(async ({ log, signal }) => {
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-openapi-"));
  try {
    await writeDocument(folder);
    const install = [
      "install",
      "--prefix",
      folder,
      "--no-save",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      ...TOOLS,
    ];
    if ((await runNpm([...install, "--loglevel", "error"], { signal })) !== 0) {
      log("OpenAPI: not linted, because the tools cannot be installed here (npm says why above).");
      return 0;
    }
    /** @param {string} tool @param {readonly string[]} args */
    const use = (tool, args) => run(path.join(folder, "node_modules", ".bin", tool), args, { signal, cwd: folder });
    /** @type {readonly [string, readonly string[]][]} */
    const steps = [
      ["redocly", ["lint", "openapi.json", "--config", path.join(checkout, "redocly.yaml"), "--max-problems", "1000"]],
      ["openapi-typescript", ["openapi.json", "-o", "openapi.ts"]],
      ["tsc", ["-p", "tsconfig.json"]],
    ];
    for (const [tool, args] of steps) {
      log(`OpenAPI: ${tool}`);
      if ((await use(tool, args)) !== 0) return 1;
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {string} folder */
async function writeDocument(folder) {
  const bundle = await rolldown({ input: path.join(checkout, "main/relay/docs/openapi.ts"), platform: "node" });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "document.mjs" });
  await bundle.close();
  const { openApiDocument } = await import(pathToFileURL(path.join(folder, "document.mjs")).href);
  const document = openApiDocument({ url: "http://127.0.0.1:7717", version: "0.0.0" });
  writeFileSync(path.join(folder, "openapi.json"), JSON.stringify(document, null, 1));
  writeFileSync(path.join(folder, "use.ts"), USE);
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(STRICT));
}
