import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OLDEST_NODE } from "../../../tools/setup/node-version.mjs";
import { oldCurl, uselessCurl } from "../../support/old-curl.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../../support/start-serve.ts";
import type { Finished } from "./built-program.ts";

let lab: ServeLab;
let relay: ServeProcess;
let key: string;
let home: string;
let number = 0;
const saidByNode = new Map<string, Promise<Finished>>();

beforeAll(async () => {
  lab = await startServeLab();
  relay = await lab.serve(["--client"]);
  key = await lab.makeKey();
  home = join(lab.data, "..");
  mkdirSync(join(home, "bin"));
  for (const name of ["service", "patchbay"]) copyFileSync(join("bin", name), join(home, "bin", name));
  await service(["func", "create-shell"]);
}, 60_000);

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
});

/** What must come out alike whatever the machine has: output, an exit code, a refusal, bytes that are no text, nothing. */
const WORDS: readonly (readonly string[])[] = [
  ["func", "list-tiles", "--json"],
  ["func", "run", "--wait", "printf 'two\\nlines \\303\\244 \\\\n %%s'; (exit 7)"],
  ["func", "run", "--wait", "printf 'a\\000b'"],
  ["func", "run", "--wait", "printf 'a|.b |. c'; printf '|.' >&2"],
  ["func", "close-shell", "|.1"],
  ["func", "run", "--wait", "seq 1 60000"],
  ["func", "run", "--wait", ":"],
  ["func", "list-tiel"],
  ["func", "close-shell", "12345"],
  ["func", "send-chat", "--", "no secrets\n  in 'two' lines  "],
];

describe("with every curl", () => {
  for (const minor of [58, 61, 74, 81, 83, 84]) {
    const tags = minor === 58 ? [] : ["slow"];
    test(`7.${minor}: a stand-in that knows what that version knew`, { tags }, async () => {
      const tools = toolsWith(["stty", "readlink"], (folder) => oldCurl(folder, { minor, real: whereIs("curl") }));
      for (const words of WORDS) await sameAsNode(words, { PATH: tools });
    });
  }

  test("the stand-in is as old as it says", () => {
    const folder = toolsWith([], (tools) => oldCurl(tools, { minor: 58, real: whereIs("curl") }));
    const run = (...args: string[]) =>
      execFileSync(join(folder, "curl"), ["-s", ...args, "file:///dev/null"], { encoding: "utf8", stdio: "pipe" });
    expect(run("-w", "%{http_code} %header{x-exit}|%{stderr}")).toBe("000 %header{x-exit}|");
    expect(() => run("--fail-with-body")).toThrow("--fail-with-body: is unknown");
  });

  test("one that cannot speak to a Unix socket leaves it to Node, and nothing is done twice", async () => {
    const before = await chatLength();
    const tools = toolsWith(["node", "readlink", "stty"], uselessCurl);
    const sent = await service(["func", "send-chat", "once"], { PATH: tools });
    expect(sent).toMatchObject({ code: 0, err: "" });
    expect(await chatLength()).toBe(before + 1);
  });
});

/** Every shell that may be `sh` somewhere. */
const SHELLS: readonly (readonly string[])[] = [
  ["dash"],
  ["bash"],
  ["bash", "--posix"],
  ["busybox", "sh"],
  ["zsh", "--emulate", "sh"],
];

describe.each(SHELLS.filter(([program = ""]) => find(program) !== undefined))("under %s %s", (...words) => {
  const shell = words.filter((word) => word !== undefined);

  // The least and the most that `sh` may be stand for the others.
  const tags = ["dash", "bash"].includes(shell.join(" ")) ? [] : ["slow"];
  const ofTheLeast = { tags: shell.join(" ") === "dash" ? [] : ["slow"] };
  test("and with curl", { tags }, async () => {
    const tools = toolsWith(["curl", "stty", "readlink"]);
    for (const line of WORDS) await sameAsNode(line, { PATH: tools }, { shell });
    await sameAsNode(["func", "list-tiel"], { PATH: tools }, { shell, name: "patchbay" });
  });

  test("and without", { tags: "slow" }, async () => {
    const tools = toolsWith(["node", "stty", "readlink"]);
    for (const line of WORDS) await sameAsNode(line, { PATH: tools }, { shell });
  });

  test("and by a link from elsewhere, by either name", ofTheLeast, async () => {
    for (const name of ["service", "patchbay"] as const) {
      const folder = mkdtempSync(join(home, "link-"));
      symlinkSync(join("..", "bin", name), join(folder, name));
      const said = await finished([...shell, join(folder, name), "func", "list-tiel"], {
        PATH: toolsWith(["curl", "readlink"]),
      });
      expect(said).toMatchObject({ code: 2, err: expect.stringContaining(`${name}: no command "list-tiel"`) });
    }
  });

  test("and with no Node, or one that is too old, which is told", ofTheLeast, async () => {
    const [major = 0, minor = 0] = OLDEST_NODE.split(".").map(Number);
    const needed = `patchbay: Patchbay needs Node.js ${major}.${minor} or later, and`;
    const run = (tools: string) => finished([...shell, join(home, "bin/patchbay"), "sessions"], { PATH: tools });
    expect(await run(toolsWith(["readlink"]))).toEqual({
      code: 1,
      out: "",
      err: `${needed} no node is in the PATH.\n`,
    });
    for (const version of ["12.22.9", `${major}.${minor - 1}.0`]) {
      const tools = toolsWith(["readlink"], (folder) => nodeOfVersion(folder, version));
      expect(await run(tools)).toEqual({ code: 1, out: "", err: `${needed} this is ${version}.\n` });
    }
    const enough = toolsWith(["readlink"], (folder) => nodeOfVersion(folder, OLDEST_NODE));
    expect(await run(enough)).toMatchObject({ code: 0, out: expect.stringContaining("default"), err: "" });
    const ofTheApp = toolsWith(["readlink"], (folder) => nodeOfVersion(folder, `${major}.${minor - 1}.0`, "33.2.1"));
    expect(await run(ofTheApp)).toMatchObject({ code: 0, out: expect.stringContaining("default"), err: "" });
  });

  test("and with a closed stdout, to which nothing is said", ofTheLeast, async () => {
    for (const names of [
      ["curl", "node", "readlink"],
      ["node", "readlink"],
    ]) {
      const script = `"$@" >&-`;
      const line = [...shell, "-c", script, "sh", ...shell, join(home, "bin/service"), "func", "list-tiles"];
      const [program = ""] = shell;
      const tools = toolsWith([...names, program]);
      expect(await finished(line, { PATH: tools })).toEqual({ code: 0, out: "", err: "" });
    }
  });
});

describe("a relay that hangs", { tags: "slow" }, () => {
  const stopped = async (act: () => Promise<void>) => {
    relay.child.kill("SIGSTOP");
    try {
      await act();
    } finally {
      relay.child.kill("SIGCONT");
    }
  };
  const tools = { curl: ["curl", "node", "readlink"], "no curl": ["node", "readlink"] };

  test("holds no caller longer than its time, and does nothing later", async () => {
    const before = await chatLength();
    const times: readonly [most: number, options: readonly string[], more: NodeJS.ProcessEnv][] = [
      [12, [], {}],
      [5, ["--timeout", "3"], {}],
      [4, [], { SERVICE_COMMAND_TIMEOUT_MS: "2000" }],
    ];
    const runs = times.flatMap((time) => Object.values(tools).map((names) => ({ time, names })));
    await stopped(async () => {
      await Promise.all(
        runs.map(async ({ time: [most, options, more], names }) => {
          const began = performance.now();
          const words = ["func", "send-chat", ...options, "too late"];
          const run = await service(words, { PATH: toolsWith(names), ...more });
          const seconds = (performance.now() - began) / 1000;
          const told = { code: 5, out: "", err: expect.stringContaining("the relay does not answer") };
          expect([most, options, more, names, run]).toMatchObject([most, options, more, names, told]);
          expect(seconds).toBeLessThan(most + 1);
        }),
      );
    });
    expect(await chatLength()).toBe(before);
  });

  test("for a moment loses nothing", async () => {
    const before = await chatLength();
    let sent: Promise<Finished[]> | undefined;
    await stopped(async () => {
      sent = Promise.all(
        Object.values(tools).map((names) => service(["func", "send-chat", "late"], { PATH: toolsWith(names) })),
      );
      await new Promise((resolve) => setTimeout(resolve, 2500));
    });
    expect(await sent).toMatchObject([
      { code: 0, err: "" },
      { code: 0, err: "" },
    ]);
    expect(await chatLength()).toBe(before + 2);
  });

  test("is told from one that works on a long command", async () => {
    const [one, other] = [String(await freshTile()), String(await freshTile())];
    const line = (tile: string) => ["func", "run", "--wait", "sleep 14; echo over; (exit 3)", "--tile", tile];
    const [first, second] = await Promise.all([
      service(line(one), { PATH: toolsWith(tools.curl) }),
      service(line(other), { PATH: toolsWith(tools["no curl"]) }),
    ]);
    expect([first, second]).toMatchObject([
      { code: 3, out: expect.stringContaining("over") },
      { code: 3, out: expect.stringContaining("over") },
    ]);
  });
});

describe.concurrent("an answer", () => {
  test.each([
    ["with curl", ["curl", "readlink"]],
    ["without", ["node", "readlink"]],
  ])("waits for a reader that takes its time, %s", { tags: "slow" }, async (_with, names) => {
    const line = `'${join(home, "bin/service")}' func get-shell-output 1 | { sleep 3; wc -c; }`;
    const { out } = await service(["func", "get-shell-output", "1"]);
    const slow = await finished(["/bin/sh", "-c", line], { PATH: toolsWith([...names, "sleep", "wc"]) });
    expect([slow.err, Number(slow.out)]).toEqual(["", out.length]);
  });
});

describe("what becomes of an answer", () => {
  test("that is cut short, at any byte, is told and not called whole", { tags: "slow" }, async () => {
    const whole = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n0 5 ..\nhello\r\n0\r\n\r\n";
    const plain = "HTTP/1.1 200 OK\r\n\r\n0 5 ..\nhello";
    const inLine = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nf\r\n0 0 ..|.hello.\n\r\n0\r\n\r\n";
    const plainInLine = "HTTP/1.1 200 OK\r\n\r\n0 0 ..|.hello.\n";
    for (const [names, answer] of [
      [["curl", "readlink"], whole],
      [["curl", "readlink"], inLine],
      [["node", "readlink"], plain],
      [["node", "readlink"], plainInLine],
    ] as const) {
      for (let length = 0; length <= answer.length; length += length < answer.length - 8 ? 7 : 1) {
        const cut = answer.slice(0, length);
        using stand = standIn(cut);
        const said = await service(["func", "list-tiles"], { PATH: toolsWith([...names]), PATCHBAY_DATA: stand.data });
        const wanted =
          length === answer.length
            ? { code: 0, out: "hello", err: "" }
            : { code: 5, err: expect.stringContaining("lost") };
        // The last bytes of a chunked answer are its end, which a script need not see.
        if (names[0] === "curl" && length >= answer.length - 2 && said.code === 0) expect(said.out).toBe("hello");
        else expect([cut, said]).toMatchObject([cut, wanted]);
      }
    }
  });

  test("that cannot be written is told; a reader that has seen enough is no failure", async () => {
    for (const names of [
      ["curl", "readlink"],
      ["node", "readlink"],
    ]) {
      // A long output, and one that is in the line of the answer.
      for (const words of ["func --help", "func list-tiles"]) {
        const full = await finished(["/bin/sh", "-c", `'${join(home, "bin/service")}' ${words} >/dev/full`], {
          PATH: toolsWith(names),
        });
        expect([words, full]).toMatchObject([words, { code: 1, err: "service: the output could not be written.\n" }]);
        expect([words, await withoutReader(words.split(" "), { PATH: toolsWith(names) })]).toEqual([
          words,
          { code: 0, err: "" },
        ]);
      }
      const line = `{ '${join(home, "bin/service")}' func get-shell-output 1; echo "$?" >&2; } | head -c 10 >/dev/null`;
      const enough = await finished(["/bin/sh", "-c", line], { PATH: toolsWith([...names, "head"]) });
      expect(enough).toMatchObject({ code: 0, err: "0\n" });
    }
  });
});

test("the key is in no argument of any process, however the words go", async () => {
  const folder = toolsWith(["readlink", "stty"]);
  const seen = join(home, "arguments");
  for (const tool of ["curl", "node"]) {
    rmSync(join(folder, tool), { force: true });
    writeFileSync(join(folder, tool), `#!/bin/sh\nprintf '%s\\n' "$0" "$@" >>'${seen}'\nexec ${whereIs(tool)} "$@"\n`, {
      mode: 0o755,
    });
    expect(await service(["func", "list-tiles"], { PATH: folder })).toMatchObject({ code: 0 });
    rmSync(join(folder, tool));
  }
  expect(readFileSync(seen, "utf8")).toContain("quick-post.cjs");
  expect(readFileSync(seen, "utf8")).not.toContain(key);
});

async function sameAsNode(
  words: readonly string[],
  more: NodeJS.ProcessEnv,
  { shell = ["/bin/sh"], name = "service" }: { shell?: readonly string[]; name?: string } = {},
): Promise<void> {
  const wanted = await byNode(words, name);
  const got = await finished([...shell, join(home, "bin", name), ...words], more);
  const comparable = ({ out, ...rest }: Finished) => ({ ...rest, out: words[1] === "send-chat" ? textOf(out) : out });
  expect([words, comparable(got)]).toEqual([words, comparable(wanted)]);
}

/** What the command line itself says; asked once for what is always the same. */
function byNode(words: readonly string[], name: string): Promise<Finished> {
  const line = JSON.stringify([name, words]);
  const known = words[1] === "list-tiles" ? undefined : saidByNode.get(line);
  if (known !== undefined) return known;
  const main = join(home, "dist/cli/main.js");
  const said = finished([process.execPath, main, ...words], { PATH: process.env.PATH, PATCHBAY_PROGRAM: name });
  saidByNode.set(line, said);
  return said;
}

function textOf(chat: string): unknown {
  return (JSON.parse(chat) as { text: unknown }).text;
}

function service(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return finished(["/bin/sh", join(home, "bin", "service"), ...args], more);
}

async function finished([program = "", ...args]: readonly string[], more: NodeJS.ProcessEnv): Promise<Finished> {
  const env = { HOME: home, PATCHBAY_DATA: lab.data, SERVICE_TOKEN: key, PATH: process.env.PATH, ...more };
  const child = spawn(find(program) ?? program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const pieces: [out: Buffer[], err: Buffer[]] = [[], []];
  child.stdout.on("data", (piece: Buffer) => pieces[0].push(piece));
  child.stderr.on("data", (piece: Buffer) => pieces[1].push(piece));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out: Buffer.concat(pieces[0]).toString("latin1"), err: Buffer.concat(pieces[1]).toString("latin1") };
}

/** Runs it with a stdout that its reader has closed before the first byte. */
async function withoutReader(
  words: readonly string[],
  more: NodeJS.ProcessEnv,
): Promise<Pick<Finished, "code" | "err">> {
  const env = { HOME: home, PATCHBAY_DATA: lab.data, SERVICE_TOKEN: key, ...more };
  const child = spawn("/bin/sh", [join(home, "bin", "service"), ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, err };
}

async function chatLength(): Promise<number> {
  const { out } = await service(["func", "get-chat", "--json"]);
  return (JSON.parse(out) as unknown[]).length;
}

async function freshTile(): Promise<number> {
  const { out } = await service(["func", "create-shell", "--json"]);
  return (JSON.parse(out) as { key: number }).key;
}

/** Puts this Node into a folder, under another version. */
function nodeOfVersion(folder: string, node: string, electron?: string): void {
  const preload = join(folder, "version.cjs");
  const versions = `{ ...process.versions, ...${JSON.stringify({ node, electron })} }`;
  writeFileSync(preload, `Object.defineProperty(process, "versions", { value: ${versions} });`);
  const script = `#!/bin/sh\nexec '${process.execPath}' -r '${preload}' "$@"\n`;
  writeFileSync(join(folder, "node"), script, { mode: 0o755 });
}

/** A folder to be the whole PATH: these tools, and what `more` puts there. */
function toolsWith(tools: readonly string[], more: (folder: string) => void = () => undefined): string {
  const folder = join(home, `tools-${number++}`);
  mkdirSync(folder);
  for (const tool of tools) symlinkSync(whereIs(tool), join(folder, tool));
  more(folder);
  return folder;
}

/** A data folder with something at its socket that answers every request with these bytes, and hangs up. */
function standIn(bytes: string): Disposable & { readonly data: string } {
  const data = mkdtempSync(join(home, "stand-in-"));
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(bytes));
  }).listen(join(data, "commands.sock"));
  return { data, [Symbol.dispose]: () => void server.close() };
}

function whereIs(tool: string): string {
  const found = tool === "node" ? process.execPath : find(tool);
  if (found === undefined) throw new Error(`${tool} is not installed`);
  return found;
}

function find(tool: string): string | undefined {
  if (tool.includes("/")) return tool;
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, tool))
    .find((file) => existsSync(file));
}
