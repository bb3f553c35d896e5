import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentLab, session, until } from "./agent-lab.ts";

test("a manifest that names a script by its name alone is told to add the folder, with which it is recognized", async () => {
  using lab = new AgentLab();
  const script = join(lab.folder("acme"), "robot");
  writeFileSync(script, 'console.log("robot ready"); process.stdin.resume();');
  const shell = lab.shell(lab.folder("work"));
  shell.run(`${process.execPath} ${script}`);
  await until("it to start", () => shell.output().includes("robot ready"));
  const tried = async (more: object) => {
    const manifest = JSON.stringify({ kind: "robot", programs: ["robot"], ...more });
    const [told] = await lab.agents.explain(
      { sessionId: session, shellId: shell.shellId, pid: shell.pty.pid },
      manifest,
    );
    return { state: told?.state, detail: told?.reason.detail };
  };
  expect(await tried({})).toEqual({
    state: "unknown",
    detail:
      "a program has the name, which does not count alone for a script or a small program: add its folder to `paths`; no pattern matches",
  });
  expect(await tried({ paths: ["acme"] })).toEqual({
    state: "idle",
    detail: "it recognizes the program; no pattern matches",
  });
  expect(await tried({ programs: ["another"] })).toMatchObject({ state: "unknown" });
});
