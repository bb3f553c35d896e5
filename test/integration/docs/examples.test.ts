import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { oldCurl, whereIs } from "../../support/old-curl.ts";
import { serveFolder } from "../../support/serve-folder.ts";
import { startServeLab } from "../../support/start-serve.ts";
import { until } from "../../support/until.ts";

const root = resolve(import.meta.dirname, "../../..");

let lab: Awaited<ReturnType<typeof startServeLab>>;
let relay: Awaited<ReturnType<typeof lab.serve>>;
let env: NodeJS.ProcessEnv;
let folder: string;
/** Every argument that a curl of 2018 was started with. */
let curlLog: string;

beforeAll(async () => {
  lab = await startServeLab();
  relay = await lab.serve(["--client"]);
  folder = join(lab.data, "..");
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  curlLog = join(folder, "curl-arguments");
  oldCurl(join(folder, "bin"), { minor: 58, real: whereIs("curl"), log: curlLog });
  env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    HOME: folder,
    PATCHBAY_DATA: lab.data,
    SERVICE_TOKEN: await lab.makeKey(),
    SERVICE_URL: relay.url,
    SERVICE_SESSION: relay.session,
  };
});
afterEach(() => {
  // Other users of the machine see the arguments of every process.
  const told = existsSync(curlLog) ? readFileSync(curlLog, "utf8") : "";
  expect(told).not.toMatch(/pb[a-z]?_[A-Za-z0-9_-]{16,}/);
});
afterAll(() => lab[Symbol.asyncDispose]());

/** Returns the shell block of a document that contains some text, with this relay's address and session. */
function block(document: string, having: string): string {
  const page = readFileSync(join(root, "docs", document), "utf8");
  const found = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].find(([, code = ""]) => code.includes(having));
  if (found?.[1] === undefined) throw new Error(`docs/${document} has no block with ${having}`);
  return found[1].replaceAll("http://127.0.0.1:7717", relay.url).replaceAll("/SESSION/", `/${relay.session}/`);
}

function start(script: string): ChildProcess {
  return spawn("/bin/sh", ["-e", "-c", script], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
}

async function run(script: string): Promise<string> {
  const child = start(script);
  if (child.stdout === null || child.stderr === null) throw new Error("the script has no output");
  const closed = new Promise<number | null>((done) => child.once("close", done));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  expect(code, `${script}\n${out}\n${err}`).toBe(0);
  return out;
}

/** Runs a script that does not end by itself until it has printed something. */
async function runUntil(script: string, wanted: RegExp): Promise<void> {
  const child = start(`exec ${script.trim()}`);
  let out = "";
  child.stdout?.on("data", (piece) => {
    out += String(piece);
  });
  try {
    await until(`${wanted} from ${script}`, () => wanted.test(out));
  } finally {
    child.kill();
  }
}

test("api.md: the first command, as it is typed in a shell of Patchbay", async () => {
  expect(await run(block("api.md", "getShells"))).toContain('{"result":[');
});

test("api.md: a command, with the headers that the page promises", async () => {
  const out = await run(block("api.md", "splitShell"));
  expect(readFileSync(curlLog, "utf8")).toContain("-H\n@-\n");
  expect(out).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(out).toMatch(/^X-Service-Client: \d+\r?$/m);
  expect(out).toMatch(/^X-Service-Shell: \d+\r?$/m);
  expect(out).toMatch(/\{"result":\{"key":\d+,"shellId":\d+/);
});

test("api.md: a shell's output, and the session's events, as streams", async () => {
  const made = await run("service func create-shell --command 'echo streamed-$((40+2))'");
  const { shellId } = JSON.parse(made) as { shellId: number };
  const output = block("api.md", "/output?since=0")
    .replace(/^shell=.*\n/, "")
    .replace("$shell", String(shellId));
  await runUntil(output, /event: output\ndata: .*streamed-42/);
  const events = runUntil(block("api.md", "types=shell.exited"), /event: shell\.exited/);
  await run(`service func write-to-shell ${shellId} 'exit\\n'`);
  // The stream begins when it is asked for, so another shell ends until one is seen.
  const end = setInterval(() => start("service func create-shell --command exit"), 1000);
  await events.finally(() => clearInterval(end));
}, 60_000);

test("api.md: a login begins with a code, and the program's question is pending", async () => {
  const [first = "", ...then] = block("api.md", "device_authorization").split(/\n(?=echo)/);
  const begun = JSON.parse(await run(first)) as { device_code: string; user_code: string; interval: number };
  expect(begun.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
  const asked = await run(then.join("\n").replace("device_code=…", `device_code=${begun.device_code}`));
  expect(asked).toContain('"error":"authorization_pending"');
});

test("install.md: the first commands in a terminal", async () => {
  expect(await run(block("install.md", "patchbay func create-shell"))).toContain("hello");
});

test("plugins.md: a plugin is served, installed, opened, allowed and removed", async () => {
  const page = readFileSync(join(root, "docs", "plugins.md"), "utf8");
  const [, manifest = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const [, html = ""] = /```html\n([\s\S]*?)```/.exec(page) ?? [];
  const place = join(folder, "hello");
  mkdirSync(place);
  writeFileSync(join(place, "manifest.json"), manifest);
  writeFileSync(join(place, "index.html"), html);
  await using site = await serveFolder(place);
  // Only this line of the page is not run: the test serves the folder itself, and fetches no package.
  expect(block("plugins.md", "npx")).toBe("npx --yes serve -l 8000 hello\n");
  const install = block("plugins.md", "manifest_url").replace("http://localhost:8000", site.url);
  const out = await run(install);
  expect(out).toContain('{"ok":true}');
  expect(await run("service plugins")).toContain('"id":"hello"');
  const manage = block("plugins.md", "service plugins allow").replaceAll("agent-cost", "hello");
  const asked = JSON.parse(manifest) as { permissions: string[] };
  await run(manage.replace("getAgentCost", asked.permissions[0] ?? "none"));
  expect(await run("service plugins")).not.toContain('"id":"hello"');
});

test("reference/tunnels.md: what listens is listed, and has a tile", async () => {
  writeFileSync(join(folder, "listen.mjs"), 'import { createServer } from "node:http"; createServer().listen(0);');
  await run(`service func create-shell --cwd '${folder}' --command 'node listen.mjs'`);
  const [tunnel] = await until("the tunnel", async () => {
    const listed = JSON.parse(await run("service func list-tunnels")) as { port: number }[];
    return listed.length > 0 ? listed : undefined;
  });
  const [list = "", open = ""] = block("reference/tunnels.md", "list-tunnels").split("\n");
  expect(await run(list)).toContain('"localUrl"');
  expect(await run(open.replace("5173", String(tunnel?.port)))).toMatch(/"key":\d+/);
}, 60_000);

test("remotes.md: another machine is added over a tunnel's port, named, and asked with this one", {
  tags: "slow",
  timeout: 120_000,
}, async () => {
  const other = await startServeLab();
  try {
    const { url } = await other.serve(["--client"]);
    env = { ...env, SERVICE_TOKEN_BOX: await other.makeKey() };
    const addAndList = block("remotes.md", "service remotes add box").replace("https://192.0.2.7:7718", url);
    const out = await run(addAndList);
    expect(out).toContain("Added box");
    expect(out).toMatch(/"machine":"local".*"machine":"box"/);
    const created = await run("service func create-shell --on box");
    expect(created).toContain('"shellId"');
    const [line = "", events = "", status = ""] = block("remotes.md", "service func run --wait --on box").split("\n");
    expect(await run(line)).not.toBe("");
    expect(await run(status)).toContain('"machine":"box"');
    const following = runUntil(events, /"type":"chat\.message"/);
    // The stream begins when it is asked for, so messages are sent until one is seen.
    const again = setInterval(() => start("service func send-chat --on box hello"), 1000);
    await following.finally(() => clearInterval(again));
    const [sessions, agents, questions, all = ""] = block("remotes.md", "service agents --all").split("\n");
    expect(await run(`${sessions}\n${agents}`)).toContain('"agents":[]');
    expect(await run(questions ?? "")).toMatch(
      /"machine":"local".*"questions":\[\].*"machine":"box".*"questions":\[\]/,
    );
    const everywhere = runUntil(all, /"machine":"box","session":"default"/);
    const more = setInterval(() => start("service func send-chat --on box hello"), 1000);
    await everywhere.finally(() => clearInterval(more));
  } finally {
    await other[Symbol.asyncDispose]();
  }
});
