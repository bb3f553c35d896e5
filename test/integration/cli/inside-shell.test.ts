import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RemoteClient } from "../../../client/remote-client.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../../support/start-serve.ts";
import { until } from "../../support/until.ts";

let lab: ServeLab;
let relay: ServeProcess;
let owner: RemoteClient;
let ownersKey: string;
let folder: string;
let shell: { shellId: number; key: number };

beforeAll(async () => {
  lab = await startServeLab();
  folder = join(lab.data, "..");
  mkdirSync(join(folder, "bin"));
  for (const name of ["service", "patchbay"]) copyFileSync(`bin/${name}`, join(folder, "bin", name));
  // A program of that name, and of that size, is taken for the agent.
  mkdirSync(join(folder, "agents"));
  copyFileSync(process.execPath, join(folder, "agents", "claude"));
  relay = await lab.serve(["--client"]);
  ownersKey = await lab.makeKey();
  owner = new RemoteClient({ url: relay.url, token: ownersKey, session: relay.session });
  // Shell 1 is never that of a test.
  await owner.call("createShell");
}, 60_000);

afterAll(() => lab[Symbol.asyncDispose]());

beforeEach(async () => {
  const { shellId, key } = await owner.call("createShell");
  shell = { shellId, key: key ?? 0 };
});

/** Runs a line in the shell and waits for it. */
async function run(command: string): Promise<{ output: string; exitCode: number | null }> {
  const { output = "", exitCode = null } = await owner.call("runCommand", {
    tile: shell.key,
    command,
    wait: true,
    timeout: 30,
  });
  return { output: output.trim(), exitCode };
}

/** Starts an agent in the shell that runs a line whenever the file `go` is there; answers what the line gave. */
async function agentRunning(command: string, name = "agent") {
  const script = join(folder, `${name}.cjs`);
  const go = join(folder, `${name}.go`);
  const told = join(folder, `${name}.told`);
  writeFileSync(
    script,
    `const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
fs.writeFileSync(${JSON.stringify(told)}, "ready");
setInterval(() => {
  if (fs.existsSync(${JSON.stringify(`${go}.end`)})) process.exit(0);
  if (!fs.existsSync(${JSON.stringify(go)})) return;
  fs.rmSync(${JSON.stringify(go)});
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", ${JSON.stringify(command)}], { encoding: "utf8" });
  fs.writeFileSync(${JSON.stringify(`${told}.new`)}, JSON.stringify({ status, stdout, stderr }));
  fs.renameSync(${JSON.stringify(`${told}.new`)}, ${JSON.stringify(told)});
}, 20);
`,
  );
  const line = (words: string) => owner.call("writeToShell", { id: shell.shellId, data: `${words}\\n` });
  await line(`${name === "exec" ? "exec " : ""}'${join(folder, "agents", "claude")}' '${script}'`);
  await until("the agent to run", () => existsSync(told) && readFileSync(told, "utf8") === "ready");
  return {
    async call(): Promise<{ status: number; stdout: string; stderr: string }> {
      writeFileSync(told, "");
      writeFileSync(go, "");
      await until("the agent's answer", () => readFileSync(told, "utf8") !== "");
      return JSON.parse(readFileSync(told, "utf8")) as { status: number; stdout: string; stderr: string };
    },
    end: () => writeFileSync(`${go}.end`, ""),
  };
}

describe("in a shell that a person opened", () => {
  test("commands need no option, keys are the relay's own, and the data folder is known", async () => {
    expect((await run("service func create-workspace && service func switch-workspace 0")).exitCode).toBe(0);
    expect((await run("echo $PATCHBAY_DATA")).output).toBe(lab.data);
    const { output: key } = await run("patchbay keys create --name made-inside --read-only");
    const made = new RemoteClient({ url: relay.url, token: key, session: relay.session });
    expect(await made.operation("whoAmI", {})).toMatchObject({
      key: { name: "made-inside", restrictions: { readOnly: true } },
    });
    expect((await run("patchbay keys list --json | grep -c made-inside")).output).toBe("1");
    expect((await run("patchbay keys revoke made-inside")).output).toBe("Key made-inside is revoked.");
    await expect(made.operation("whoAmI", {})).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await run("patchbay approve")).output).toBe("No login waits for an answer.");
  });

  test("a bearer token is good for the relay of the shell", async () => {
    const { output: token } = await run("service token --scope plugins:install");
    const answer = await fetch(`${relay.url}/v1/sessions/${relay.session}/plugins`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(answer.status).toBe(400);
  });

  test("an emptied environment is no way to another key: the shell's own token is found again", async () => {
    const bare = `env -i PATH="$PATH" HOME="$HOME" SERVICE_URL="$SERVICE_URL"`;
    expect((await run(`${bare} service status | grep '"key"'`)).output).toContain("the shell");
    await owner.call("restrictShells", { state: "on", shell: shell.shellId });
    const refused = await run(`${bare} patchbay keys create --name x`);
    expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining("is restricted") });
    const byFolder = await run(`${bare} patchbay keys create --name x --data '${lab.data}'`);
    expect(byFolder).toMatchObject({ exitCode: 1, output: expect.stringContaining("is restricted") });
  });
});

test("a restricted shell makes no key by naming a server of its own as its relay", async () => {
  await owner.call("restrictShells", { state: "on", shell: shell.shellId });
  const yes = createServer((_request, response) => {
    response.setHeader("Content-Type", "application/json").end('{"result":[]}');
  });
  yes.listen(0, "127.0.0.1");
  await once(yes, "listening");
  try {
    const fake = `SERVICE_SHELL_ID=1 SERVICE_TOKEN=x SERVICE_URL=http://127.0.0.1:${(yes.address() as AddressInfo).port}`;
    const create = `patchbay keys create --name evil --data '${lab.data}'`;
    const empty = 'env -i PATH="$PATH" HOME="$HOME"';
    const told = join(folder, "made.told");
    for (const attack of [
      `${fake} ${create}`,
      `env ${fake} sh -c "${create}; exit \\$?"`,
      `${empty} ${fake} sh -c "${create}; exit \\$?"`,
      `${fake} patchbay token --scope plugins:install --data '${lab.data}'`,
      // It leaves its ancestors.
      `sh -c "(${empty} ${fake} ${create} > '${told}' 2>&1; echo ended \\$? >> '${told}') &"; until grep -q ended '${told}'; do sleep 0.1; done; tail -c 2 '${told}' | grep -q 0`,
      // As if the nearest shell were another relay's.
      `sh -c "${empty} ${create}; exit \\$?" --file '${folder}/shell-host.json'`,
    ]) {
      expect([attack, (await run(attack)).exitCode]).not.toEqual([attack, 0]);
    }
    expect((await owner.operation("listKeys", {})).map(({ name }) => name)).not.toContain("evil");
  } finally {
    yes.close();
  }
});

describe("while an agent runs in the shell", () => {
  test("it is refused at once and the user is asked; allowed once, it goes on", async () => {
    const agent = await agentRunning("service func create-workspace");
    const refused = await agent.call();
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("The user was asked") });
    const requests = (await owner.call("getShellRestrictions")).requests.filter(
      ({ shellId }) => shellId === shell.shellId,
    );
    expect(requests).toMatchObject([{ agentType: "claude", wants: "createWorkspace" }]);
    await owner.call("answerAgent", { request: requests[0]?.id ?? 0, answer: "once" });
    expect(await agent.call()).toMatchObject({ status: 0 });
    agent.end();
  });

  test.each([
    ["keys create", "patchbay keys create --name evil"],
    ["keys create in the data folder", 'patchbay keys create --name evil --data "$PATCHBAY_DATA"'],
    [
      "keys create without its environment",
      'env -i PATH="$PATH" HOME="$HOME" patchbay keys create --name evil --data "$PATCHBAY_DATA"',
    ],
    ["token", "patchbay token --scope plugins:install"],
    ["approve", "patchbay approve ABCD-EFGH"],
    ["invite", "service invite"],
    ["restrict-shells", "service func restrict-shells off"],
    ["answer-agent", "service func answer-agent 1 always"],
    ["another shell", "service func write-to-shell 1 'patchbay keys create --name evil\\n'"],
    ["a shell of its own", "service func create-shell --command 'patchbay keys create --name evil > evil.key'"],
  ])("it gets no further by %s", async (name, command) => {
    const agent = await agentRunning(command, `no-${name.replaceAll(" ", "-")}`);
    const { status } = await agent.call();
    agent.end();
    if (!command.includes("create-shell")) expect(status).toBe(1);
    else await until("the refusal in its shell", () => existsSync(join(folder, "evil.key")));
    expect(
      JSON.stringify(await new RemoteClient({ url: relay.url, token: ownersKey }).operation("listKeys", {})),
    ).not.toContain("evil");
  });

  test("what it has left behind is restricted when it has ended, and the person is not", async () => {
    const told = join(folder, "left.told");
    const again = `while ! test -e '${told}.go'; do sleep 0.05; done; service func create-workspace; echo $? > '${told}'`;
    const agent = await agentRunning(`setsid sh -c "${again.replaceAll("$?", "\\$?")}" >/dev/null 2>&1 &`, "leaving");
    await agent.call();
    const isListed = async () => (await owner.call("getAgents")).some(({ shellId }) => shellId === shell.shellId);
    await until("the agent to be noticed", isListed);
    agent.end();
    await until("the agent to end", async () => !(await isListed()));
    writeFileSync(`${told}.go`, "");
    await until("its answer", () => existsSync(told) && readFileSync(told, "utf8") !== "");
    expect(readFileSync(told, "utf8").trim()).toBe("1");
    await until("the person's own", async () => (await run("service func create-workspace")).exitCode === 0);
  });

  test("what it has typed ahead is not the person's word", async () => {
    const agent = await agentRunning(
      "service func write-to-shell 'service func create-workspace; echo $? > ahead\\n'",
      "typing",
    );
    await agent.call();
    agent.end();
    const ahead = join(folder, "ahead");
    await until("what was typed to be run", () => existsSync(ahead) && readFileSync(ahead, "utf8") !== "");
    expect(readFileSync(ahead, "utf8").trim()).toBe("1");
  });

  test("in the place of the shell itself, it is found as well", async () => {
    const agent = await agentRunning("service func create-workspace", "exec");
    expect(await agent.call()).toMatchObject({ status: 1, stderr: expect.stringContaining("claude runs in shell") });
    agent.end();
  });
});

test("a default session that was closed is replaced by the only one left; of several one has to be named", {
  tags: "slow",
}, async () => {
  const key = await lab.makeKey();
  const program = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(folder, "dist", "cli", "main.js"), ...args], {
      env: { PATH: process.env.PATH, HOME: folder, PATCHBAY_DATA: lab.data, SERVICE_TOKEN: key },
    }).catch((error: { stderr: string }) => error);
  await program("sessions", "create", "work");
  await program("sessions", "close", "default", "--force");
  expect(await program("func", "get-session", "--json")).toMatchObject({ stdout: expect.stringContaining('"work"') });
  expect(await program("invite")).toMatchObject({ stderr: "", stdout: expect.stringContaining("/s/") });
  await program("sessions", "create", "more");
  const asked = await program("func", "get-session");
  expect(asked.stderr).toMatch(/Several sessions are open.*--session[\s\S]*work[\s\S]*more/);
});
