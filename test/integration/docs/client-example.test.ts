import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { startTestRelay } from "../../support/test-relay.ts";

const root = resolve(import.meta.dirname, "../../..");

/** The program of the page, exactly as it is printed. */
function example(): string {
  const text = readFileSync(join(root, "docs", "reference", "client.md"), "utf8");
  const [, code] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
  if (code === undefined) throw new Error("docs/reference/client.md has no example in TypeScript");
  return code;
}

test.each([0, 3])(
  "the example of docs/reference/client.md runs to its end, for tests that end with %i",
  async (status) => {
    await using relay = await startTestRelay();
    await using client = await relay.join();
    const project = join(relay.folder, "project");
    mkdirSync(project);
    symlinkSync(join(root, "node_modules"), join(relay.folder, "node_modules"));
    // Without colours and spinners of npm's own.
    writeFileSync(join(project, ".npmrc"), "progress=false\n");
    const scripts = { test: `echo tests ran; exit ${status}` };
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "tested", scripts }));
    writeFileSync(join(project, "example.ts"), example());
    const bundle = await rolldown({
      input: join(project, "example.ts"),
      platform: "node",
      resolve: { alias: { "@patchbay/client": join(root, "client", "published", "index.ts") } },
    });
    await bundle.write({ file: join(project, "example.mjs"), format: "esm", codeSplitting: false });
    await bundle.close();
    const run = spawn(process.execPath, ["example.mjs"], {
      cwd: project,
      env: { PATH: process.env.PATH, SERVICE_URL: relay.url, SERVICE_TOKEN: relay.key },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const out: string[] = [];
    run.stdout.on("data", (piece) => out.push(String(piece)));
    const [code] = await once(run, "close");
    expect({ code, out: out.join("") }).toEqual({ code: status, out: expect.stringMatching(/tests ran$/m) });
    expect(client.client.mirror?.shells).toMatchObject([{ running: false, exitCode: status }]);
  },
);
