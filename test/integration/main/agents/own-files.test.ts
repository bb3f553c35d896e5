import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { folderHere, hasOwnFiles } from "../../../../main/system/processes/mount-namespace.ts";
import { AgentLab, session, until } from "./agent-lab.ts";
import { actors, commandOf, expected, quit } from "./stage.ts";

let lab: AgentLab;
beforeEach(() => {
  lab = new AgentLab();
});
afterEach(() => lab[Symbol.dispose]());

const claude = {
  kind: "claude",
  transcript: actors[0]?.transcript ?? "",
  sessionId: actors[0]?.sessionId ?? "",
} as const;

/** Runs a command of the shell where `mounts`, commands of the shell, have been executed. */
const unshared = (mounts: string, command: string) => `unshare -rm sh -c "${mounts} && ${command}"`;

const sandboxes: readonly [string, readonly string[], (box: string, home: string, command: string) => string][] = [
  [
    "unshare",
    ["-rm", "true"],
    (box, home, command) => unshared(`mount --bind ${box} ${home}`, `HOME=${home} exec ${command}`),
  ],
  [
    "bwrap",
    ["--dev-bind", "/", "/", "true"],
    (box, home, command) => `bwrap --dev-bind / / --bind ${box} ${home} --setenv HOME ${home} ${command}`,
  ],
];

test.each(sandboxes)("an agent whose home lies elsewhere, by %s, is joined and counted", async (name, probe, line) => {
  if (!isPermitted(name, probe)) return;
  const [box, home] = [lab.folder("a box"), lab.folder("inner")];
  const shell = lab.shell(lab.folder("work"));
  lab.agents.start();
  shell.run(line(`'${box}'`, home, commandOf(lab, claude)));
  await until("it to start", () => shell.output().includes("stand-in ready"));
  await until("its session", () => lab.agents.list(session)[0]?.sessionId === claude.sessionId);
  shell.run("play");
  const { tokenUsage } = expected[claude.sessionId];
  const output = () => lab.agents.cost(session).total.output;
  await until("the usage", () => output() === tokenUsage.output);
  await quit(shell);
  await until("its end", () => lab.agents.list(session).length === 0);
  expect(output()).toBe(tokenUsage.output);
  expect(await lab.agents.events(session, claude.sessionId)).not.toHaveLength(0);
});

test("an agent whose home is not to be seen here is listed without a session", async () => {
  if (!isPermitted("unshare", ["-rm", "true"])) return;
  const home = lab.folder("inner");
  // What lies here at the same path is not the agent's.
  const decoy = join(lab.folder("inner", ".claude", "projects", lab.folder("work").replace(/[^A-Za-z0-9]/g, "-")), "x");
  writeFileSync(`${decoy}.jsonl`, "{}\n");
  const shell = lab.shell(lab.folder("work"));
  shell.run(unshared(`mount -t tmpfs none ${home}`, `HOME=${home} exec ${commandOf(lab, claude)}`));
  await until("it to start", () => shell.output().includes("stand-in ready"));
  shell.run("play");
  await until("the agent", async () => {
    await lab.agents.poll();
    return lab.agents.list(session).length === 1;
  });
  expect(lab.agents.list(session)).toMatchObject([{ agentType: "claude", sessionId: "" }]);
  await quit(shell);
  await lab.agents.poll();
  expect(lab.agents.cost(session).total.output).toBe(0);
});

test("a folder of such a process is found as the process sees it, whatever its links lead to", async () => {
  if (!isPermitted("unshare", ["-rm", "true"])) return;
  const [box, inner, target] = [lab.folder("a box"), lab.folder("inner"), lab.folder("target")];
  for (const folder of [box, target]) mkdirSync(join(folder, ".claude"));
  mkdirSync(join(box, "back"));
  symlinkSync(join(target, ".claude"), join(box, "absolute"));
  symlinkSync("../../../../../../../../../../target-not-here", join(box, "missing"));
  symlinkSync("../inner/.claude", join(box, "relative"));
  symlinkSync("loop", join(box, "loop"));
  symlinkSync("/proc/self/root", join(box, "magic"));
  writeFileSync(join(box, "file"), "");
  const { pid = 0 } = await inNamespace(
    `mount --bind '${box}' ${inner} && mount --bind '${box}' ${target} && mount -t tmpfs none ${join(inner, "back")}`,
  );
  expect(hasOwnFiles("/proc", pid)).toBe(true);
  expect(hasOwnFiles("/proc", process.pid)).toBe(false);
  const here = (name: string) => folderHere("/proc", pid, join(inner, name));
  const own = join(box, ".claude");
  expect(here(".claude")).toBe(own);
  // Where the link leads to, the process sees its own folder, not that of this test.
  expect(here("absolute")).toBe(own);
  expect(here("relative")).toBe(own);
  expect(here("back/../.claude")).toBe(own);
  // Not this test's root folder, which the kernel would follow the link to.
  expect(here(`magic${target}/.claude`)).toBe(own);
  for (const name of ["missing", "loop", "file", "back", "nothing"]) expect(here(name), name).toBeUndefined();
});

/** Tells where a case cannot run. */
function isPermitted(program: string, probe: readonly string[]): boolean {
  const { status, stderr } = spawnSync(program, [...probe], { encoding: "utf8" });
  if (status !== 0) console.warn(`not tested: ${program} is not permitted here (${stderr?.trim() ?? "not installed"})`);
  return status === 0;
}

/** A process with mounts of its own, which lasts as long as the test. */
async function inNamespace(mounts: string): Promise<ChildProcess> {
  const child = spawn("unshare", ["-rm", "sh", "-c", `${mounts} && echo ready && exec sleep 300`]);
  lab.undo.add(() => child.kill("SIGKILL"));
  let out = "";
  child.stdout?.on("data", (data) => {
    out += String(data);
  });
  await until("the namespace", () => out.includes("ready"));
  return child;
}
