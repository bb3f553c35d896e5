import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";

const run = promisify(execFile);
const modules = path.join(process.env.PATCHBAY_OPENAPI_CLIENTS ?? "", "node_modules");

interface Generator {
  readonly name: string;
  /** The words of its command line, which leave `client.ts` or a folder `client` behind. */
  readonly words: readonly string[];
  /** Whether it compiles so too: the code that two of them bring along gives undefined to properties that may be left out. */
  readonly exactOptionalPropertyTypes: boolean;
  /** What a user writes with it: `use` resolves to the ids of the sessions and the types of the tiles of one. */
  readonly use: string;
}

/** The module of `use`. */
interface Client {
  use(url: string, key: string, session: string): Promise<unknown>;
}

const generators: readonly Generator[] = [
  {
    name: "openapi-typescript",
    words: ["openapi.json", "--output", "client.ts"],
    exactOptionalPropertyTypes: true,
    use: `import createClient from "openapi-fetch";
import type { paths } from "./client";

export async function use(url: string, key: string, session_id: string) {
  const client = createClient<paths>({ baseUrl: url, headers: { "X-Service-Token": key } });
  const { data: sessions } = await client.GET("/v1/sessions");
  const { data: tiles } = await client.POST("/v1/sessions/{session_id}/remote/command", {
    params: { path: { session_id } },
    body: { method: "getTiles", params: {} },
  });
  return { sessions: sessions?.result.map(({ id }) => id), tiles: tiles?.result };
}
`,
  },
  {
    name: "openapi-ts",
    words: ["--input", "openapi.json", "--output", "client", "--client", "@hey-api/client-fetch", "--no-log-file"],
    exactOptionalPropertyTypes: false,
    use: `import { command, listSessions } from "./client";
import { createClient } from "./client/client";

export async function use(url: string, key: string, session_id: string) {
  const client = createClient({ baseUrl: url, headers: { "X-Service-Token": key } });
  const { data: sessions } = await listSessions({ client });
  const { data: tiles } = await command({ client, path: { session_id }, body: { method: "getTiles", params: {} } });
  return { sessions: sessions?.result.map(({ id }) => id), tiles: tiles?.result };
}
`,
  },
  {
    name: "swagger-typescript-api",
    words: ["generate", "--path", "openapi.json", "--output", ".", "--name", "client.ts", "--silent"],
    exactOptionalPropertyTypes: false,
    use: `import { Api } from "./client";

export async function use(url: string, key: string, session_id: string) {
  const client = new Api({ baseUrl: url, baseApiParams: { headers: { "X-Service-Token": key } } });
  const { data: sessions } = await client.v1.listSessions({ format: "json" });
  const { data: tiles } = await client.v1.command(session_id, { method: "getTiles", params: {} }, { format: "json" });
  return { sessions: sessions.result.map(({ id }) => id), tiles: tiles.result };
}
`,
  },
];

let relay: TestRelay;
let folder: string;

beforeAll(async () => {
  relay = await startTestRelay();
  await relay.join();
  folder = mkdtempSync(path.join(tmpdir(), "patchbay-openapi-clients-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await relay[Symbol.asyncDispose]();
});

test.each(generators)("a client of $name compiles strictly, and calls a relay", async (generator) => {
  const { name, words, exactOptionalPropertyTypes, use } = generator;
  const place = path.join(folder, name);
  mkdirSync(place);
  symlinkSync(modules, path.join(place, "node_modules"), "junction");
  const document = await relay.request("GET", "/v1/openapi.json");
  writeFileSync(path.join(place, "openapi.json"), document.text);
  const runTool = (tool: string, args: readonly string[]) =>
    // What a tool says is the message of a failure.
    run(path.join(modules, ".bin", tool), args, { cwd: place, maxBuffer: 2 ** 26 }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => Promise.reject(new Error(`${stdout}${stderr}`)),
    );
  await runTool(name, words);
  if (name === "swagger-typescript-api") checkTypesOf(path.join(place, "client.ts"));
  writeFileSync(path.join(place, "use.ts"), use);
  writeFileSync(path.join(place, "tsconfig.json"), JSON.stringify(strict(exactOptionalPropertyTypes)));
  await runTool("tsc", ["--project", "tsconfig.json"]);
  const bundle = await rolldown({ input: path.join(place, "use.ts"), platform: "node" });
  await bundle.write({ file: path.join(place, "use.mjs"), format: "esm" });
  await bundle.close();
  const client: Client = await import(pathToFileURL(path.join(place, "use.mjs")).href);
  expect(await client.use(relay.url, relay.key, relay.session)).toEqual({
    sessions: [relay.session],
    tiles: await relay.command("getTiles"),
  });
});

/** As strict as a project can be without further options, with everything that was generated. */
function strict(exactOptionalPropertyTypes: boolean): object {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes,
    noEmit: true,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
  };
  return { compilerOptions, include: ["client", "client.ts", "use.ts"] };
}

/** Has the compiler check a file whose generator tells it not to. */
function checkTypesOf(file: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace("// @ts-nocheck", ""));
}
