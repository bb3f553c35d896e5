import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runHere } from "../../support/run-local.ts";
import { type ServeLab, startServeLab } from "../../support/start-serve.ts";
import { builtProgram } from "./built-program.ts";

describe("`service mcp`", () => {
  let lab: ServeLab;
  let program: Awaited<ReturnType<typeof builtProgram>>;
  beforeAll(async () => {
    lab = await startServeLab();
    program = await builtProgram();
  }, 60_000);
  afterAll(async () => {
    program[Symbol.dispose]();
    await lab[Symbol.asyncDispose]();
  });

  test("gives a program the relay's tools over standard input and output, also after a restart of the relay", async () => {
    let relay = await lab.serve(["--client"]);
    const { port } = new URL(relay.url);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program.main, "mcp", "--tools", "all"],
      env: {
        HOME: lab.data,
        PATH: process.env.PATH ?? "",
        PATCHBAY_DATA: lab.data,
        SERVICE_TOKEN: await lab.makeKey(),
      },
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    try {
      const { structuredContent } = await client.callTool({ name: "createShell", arguments: {} });
      expect(structuredContent).toMatchObject({ shellId: expect.any(Number) });
      expect((await client.listTools()).tools.length).toBeGreaterThan(100);
      expect(await relay.stop()).toBe(0);
      await expect(client.callTool({ name: "getShells", arguments: {} })).rejects.toThrow(/relay/i);
      relay = await lab.serve(["--client", "--port", port]);
      const again = await client.callTool({ name: "getShells", arguments: {} });
      expect(again.isError).toBeUndefined();
    } finally {
      await client.close();
      await relay.stop();
    }
  });

  test("answers what is no JSON, and ends with its input", async () => {
    await using own = await startServeLab();
    const relay = await own.serve(["--client"]);
    const child = spawn(process.execPath, [program.main, "mcp"], {
      env: { HOME: own.data, PATH: process.env.PATH, PATCHBAY_DATA: own.data, SERVICE_TOKEN: await own.makeKey() },
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin.end("{ nonsense\n");
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(JSON.parse(said)).toEqual({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "No valid JSON." } });
    expect(code).toBe(0);
    await relay.stop();
  });
});

describe("`service mcp install`", () => {
  let home: string;
  let program: Awaited<ReturnType<typeof builtProgram>>;
  beforeAll(async () => {
    program = await builtProgram();
  }, 60_000);
  afterAll(() => program[Symbol.dispose]());
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "patchbay-mcp-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const env = () => ({ HOME: home, XDG_CONFIG_HOME: "", PATH: `${home}/bin:${process.env.PATH}` });
  const run = (...words: string[]) => program.run(["mcp", ...words], env());

  const files = {
    gemini: [".gemini/settings.json", "mcpServers"],
    opencode: [".config/opencode/opencode.json", "mcp"],
    vscode: [".config/Code/User/mcp.json", "servers"],
    cursor: [".cursor/mcp.json", "mcpServers"],
    zed: [".config/zed/settings.json", "context_servers"],
  } as const;
  const before = ["", "{}", '{\n\t// mine\n\t"theme": "dark",\n\t"PLACE": { "other": { "command": "x" } }\n}\r\n'];

  test.each(
    Object.entries(files).flatMap(([kind, [file, place]]) => before.map((text) => [kind, file, place, text] as const)),
  )("adds %s's entry to %s (%s) with the content %j, and removes it byte for byte", async (kind, file, place, text) => {
    const inProcess = (...words: string[]) => runHere(["mcp", ...words], { env: env() });
    const path = join(home, file);
    const had = text.replace("PLACE", place);
    mkdirSync(dirname(path), { recursive: true });
    if (had !== "") writeFileSync(path, had);
    const refused = await inProcess("install", kind);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("Agree with --yes")]);
    const installed = await inProcess("install", kind, "--yes", "--tools", "observe");
    expect([installed.code, installed.err]).toEqual([0, ""]);
    expect(installed.out).toContain(path);
    const now = readFileSync(path, "utf8");
    expect(now).toMatch(/"patchbay": \{/);
    expect(now).toMatch(/"mcp",\s*"--tools",\s*"observe"/);
    expect((await inProcess("install", kind, "--yes")).out).toContain("has it already");
    expect((await inProcess("remove", kind, "--yes")).code).toBe(0);
    if (had === "") expect(() => readFileSync(path)).toThrow(/ENOENT/);
    else expect(readFileSync(path, "utf8")).toBe(had);
  });

  test("uses the program's own command where it has one, and tells why it failed", async () => {
    mkdirSync(join(home, "bin"));
    const stand = (name: string, script: string) => {
      writeFileSync(join(home, "bin", name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(home, "bin", name), 0o755);
    };
    // Stand-ins: the programs themselves are tried in test/agents.
    stand("claude", `printf '%s\\n' "$@" >> ${home}/said`);
    stand("codex", "echo no config >&2; exit 3");
    expect((await run("install", "claude", "--yes")).code).toBe(0);
    expect((await run("remove", "claude", "--yes")).code).toBe(0);
    const said = readFileSync(join(home, "said"), "utf8").split("\n");
    expect(said.slice(0, 6)).toEqual(["mcp", "add", "--scope", "user", "patchbay", "--"]);
    expect(said.slice(7, 13)).toEqual(["mcp", "mcp", "remove", "--scope", "user", "patchbay"]);
    const failed = await run("install", "codex", "--yes");
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining("failed: no config")]);
  });

  test("names the variables of Patchbay's shells in the entry of Codex, which would keep them from the server", async () => {
    mkdirSync(join(home, "bin"));
    mkdirSync(join(home, ".codex"));
    const file = join(home, ".codex", "config.toml");
    const other = '[mcp_servers.other]\ncommand = "x"\nenv_vars = ["ITS_OWN"]\n\n';
    const entry = '[mcp_servers.patchbay]\ncommand = "service"\nargs = ["mcp"]\n\n[notice]\nseen = true\n';
    writeFileSync(join(home, "entry"), other + entry);
    writeFileSync(join(home, "bin", "codex"), `#!/bin/sh\ncp ${home}/entry ${file}\n`);
    chmodSync(join(home, "bin", "codex"), 0o755);
    const line = 'env_vars = ["SERVICE_URL","SERVICE_TOKEN","SERVICE_SESSION","SERVICE_SHELL_ID","PATCHBAY_DATA"]';
    const installed = await run("install", "codex", "--yes");
    expect([installed.code, installed.err]).toEqual([0, ""]);
    expect(installed.out).toContain(`Adds to ${file}, at mcp_servers.patchbay:\n${line}\n`);
    expect(readFileSync(file, "utf8")).toBe(other + entry.replace("\n", `\n${line}\n`));
    // As a later version of it might.
    writeFileSync(join(home, "entry"), other + entry.replace("\n", '\nenv_vars = ["SERVICE_URL"]\n'));
    expect((await run("install", "codex", "--yes")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(readFileSync(join(home, "entry"), "utf8"));

    writeFileSync(join(home, "entry"), other);
    const failed = await run("install", "codex", "--yes");
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining("another form than expected")]);
    expect(readFileSync(file, "utf8")).toBe(other);
    rmSync(file);
    symlinkSync(join(home, "entry"), file);
    const linked = await run("install", "codex", "--yes");
    expect([linked.code, linked.err]).toEqual([1, expect.stringContaining("is a symbolic link")]);
  });

  test("refuses an unknown program, and changes no file that it cannot read", async () => {
    for (const unknown of ["emacs", "constructor"]) expect((await run("install", unknown)).code).toBe(2);
    const path = join(home, ".cursor", "mcp.json");
    mkdirSync(dirname(path));
    writeFileSync(path, "{ nonsense");
    const refused = await run("install", "cursor", "--yes");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("not valid JSON, so nothing was changed")]);
    expect(readFileSync(path, "utf8")).toBe("{ nonsense");
  });
});
