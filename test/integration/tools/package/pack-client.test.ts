import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClientProject, expectReadmeWorks, makeClientProject } from "../../../support/published-client.ts";
import { startTestRelay } from "../../../support/test-relay.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../../../..");
let project: ClientProject;

beforeAll(async () => {
  project = await makeClientProject();
}, 120_000);

afterAll(() => project?.[Symbol.dispose]());

test("the packed file has no dependencies, and every program of its README runs in an empty project", async () => {
  const manifest: unknown = JSON.parse(
    readFileSync(join(project.folder, "node_modules/@patchbay/client/package.json"), "utf8"),
  );
  expect(Object.keys(manifest ?? {}).filter((name) => /dependencies/i.test(name))).toEqual([]);
  const packages: unknown = JSON.parse(readFileSync(join(project.folder, "package-lock.json"), "utf8"));
  expect(packages).toMatchObject({ packages: expect.not.objectContaining({ "node_modules/zod": expect.anything() }) });
  await expectReadmeWorks(project);
});

test("a command that fails has its exit code, a shell without a tile is refused, and a lost relay is reported", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const head = `import { Patchbay, RelayUnreachable } from "@patchbay/client";
const patchbay = new Patchbay({ url: process.env.SERVICE_URL, token: process.env.SERVICE_TOKEN ?? "" });
`;
  const out = await project.runModule(
    relay,
    `${head}const shell = await patchbay.createShell();
const { exitCode } = await patchbay.shell(shell.id).run("(exit 7)");
console.log(exitCode);
const hidden = await patchbay.createShell({ tile: false });
await hidden.run("true").catch(({ code }) => console.log(code));
await shell.run("true", { timeout: 300 }).catch(({ code }) => console.log(code));
const abort = new AbortController();
setTimeout(() => abort.abort(), 200);
await shell.run("sleep 30", { signal: abort.signal }).catch(({ name }) => console.log(name));
`,
  );
  expect(out).toBe("7\ninvalid_request\ninvalid_params\nAbortError\n");
  const gone = `${head}await patchbay.call("getTiles").catch((error) => console.log(error instanceof RelayUnreachable, error.message));`;
  expect(await project.runModule({ url: "http://127.0.0.1:1", key: relay.key }, gone)).toMatch(
    /^true No relay answers at http:\/\/127\.0\.0\.1:1 \(.+\)\.\n$/,
  );
  expect(client.id).toBeGreaterThan(0);
});

test("its types need no other package, and follow from the method", async () => {
  const use = `import { type Methods, Patchbay, RemoteError } from "@patchbay/client";
const patchbay = new Patchbay({ token: "" });
export async function use(): Promise<(number | string | null)[]> {
  const shell = await patchbay.createShell({ exec: ["true"] });
  const { exitCode, output } = await shell.run("make");
  const tiles = await patchbay.call("getTiles");
  const [session] = await patchbay.operation("listSessions", {});
  for await (const event of shell.output()) if (event.type === "output") event.data.output.trim();
  await shell.waitFor({ text: "done", since: 0 });
  const { ratio }: Methods["setRatio"]["params"] = { ratio: 0.5 };
  // @ts-expect-error: a text is no ratio
  const { delta }: Methods["setRatio"]["params"] = { delta: "half" };
  // @ts-expect-error: a number is no text
  await shell.waitFor({ text: 5 });
  // @ts-expect-error: no such method
  await patchbay.call("getNothing");
  // @ts-expect-error: a number is no name
  await patchbay.operation("createSession", { name: 3 });
  return [exitCode, output, ratio ?? delta ?? 0, ...tiles.map(({ key }) => key), session?.name ?? "", new RemoteError("internal", "").code];
}
`;
  writeFileSync(join(project.folder, "use.ts"), use);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
    ...{ target: "es2022", module: "nodenext", lib: ["es2022", "dom", "esnext.disposable"], types: [] },
  };
  writeFileSync(join(project.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  const { stdout } = await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project.folder]);
  expect(stdout).toBe("");
});
