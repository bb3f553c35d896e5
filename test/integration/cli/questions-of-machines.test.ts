// @module-tag slow
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AWAY_AFTER_MS } from "../../../client/remote-machine.ts";
import { RelayFile } from "../../../core/protocol/relay-file.ts";
import { decision, event, type HookReporter, hooksOfShell } from "../../support/agent-questions.ts";
import { type OtherMachine, startOtherMachine, startUserMachine, type UserMachine } from "../../support/machines.ts";
import { until } from "../../support/until.ts";

interface Reported {
  readonly machine: string;
  readonly state: string;
  readonly awaySince: string | null;
  readonly questions: readonly { readonly id: number; readonly title: string; readonly session: string }[];
}

let here: UserMachine;
let local: ChildProcess;
let box: OtherMachine;
let pi: OtherMachine;
let env: NodeJS.ProcessEnv;
let hereShell: HookReporter;
let boxShell: HookReporter;

beforeAll(async () => {
  [here, box, pi] = await Promise.all([startUserMachine(), startOtherMachine(), startOtherMachine()]);
  local = here.start(["serve", "--port", "0", "--client"]);
  let said = "";
  local.stdout?.on("data", (piece) => (said += String(piece)));
  await until("the relay of this machine", () => said.includes("Try next"));
  const key = (await here.run(["keys", "create", "--name", "me"])).out.trim();
  env = { SERVICE_TOKEN: key, SERVICE_TOKEN_BOX: box.key, SERVICE_TOKEN_PI: pi.key };
  for (const [name, url] of Object.entries({ box: box.relay.url, pi: pi.relay.url })) {
    expect(await here.run(["remotes", "add", name, "--url", url], { env })).toMatchObject({ code: 0 });
  }
  const [session] = JSON.parse((await here.run(["sessions"], { env })).out) as { id: string }[];
  const { url } = RelayFile.parse(JSON.parse(readFileSync(join(here.data, "relay.json"), "utf8")));
  hereShell = await shellOf("local", { url, session: session?.id ?? "" });
  boxShell = await shellOf("box", box.relay);
}, 120_000);

afterAll(async () => {
  const ended = once(local, "exit");
  if (local.kill("SIGTERM")) await ended;
  await Promise.all([box[Symbol.asyncDispose](), pi[Symbol.asyncDispose]()]);
  here[Symbol.dispose]();
});

function shellOf(on: string, relay: { readonly url: string; readonly session: string }): Promise<HookReporter> {
  return hooksOfShell(relay, {
    file: join(here.folder, `token-${on}`),
    createShell: (command) => here.run(["func", "create-shell", "--on", on, "--command", command], { env }),
  });
}

async function questions(...words: string[]): Promise<{ code: number | null; err: string; machines: Reported[] }> {
  const { code, out, err } = await here.run(["questions", "--all", ...words], { env });
  return { code, err, machines: out === "" ? [] : (JSON.parse(out) as Reported[]) };
}

test("the questions of every machine are listed, answered on their machine, and one that is away is said to be", async () => {
  const asked = boxShell.ask("make deploy");
  const askedHere = hereShell.ask("make here");
  const machines = await until("both questions", async () => {
    const answer = await questions();
    expect(answer).toMatchObject({ code: 0, err: "" });
    const [own, other] = answer.machines;
    return own?.questions.length === 1 && other?.questions.length === 1 ? answer.machines : undefined;
  });
  expect(machines).toMatchObject([
    { machine: "local", questions: [{ machine: "local", session: "default", id: 1, title: "Bash: make here" }] },
    {
      machine: "box",
      state: "reachable",
      questions: [{ machine: "box", session: "default", id: 1, title: "Bash: make deploy", state: "open" }],
    },
    { machine: "pi", state: "reachable", questions: [] },
  ]);

  const given = await here.run(["--on", "box", "answer", "1", "yes", "--wait", "0"], { env });
  expect(given).toMatchObject({ code: 0, out: expect.stringContaining('"answered"') });
  expect(JSON.parse(await asked)).toMatchObject(decision("allow"));
  const late = await here.run(["answer", "1", "no", "--on", "box"], { env });
  expect(late).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/answered.*yes/i) });
  await boxShell.report(event("PostToolUse", "make deploy"));
  await until("the proof", async () => (await questions()).machines[1]?.questions.length === 0);
  const started = performance.now();
  expect((await questions("--closed")).machines[1]?.questions).toMatchObject([{ id: 1, state: "answered" }]);
  const usualMs = performance.now() - started;

  pi.relay.child.kill("SIGSTOP");
  try {
    const before = performance.now();
    const answer = await questions();
    expect(performance.now() - before).toBeLessThan(usualMs + AWAY_AFTER_MS + 500);
    expect(answer).toMatchObject({ code: 0, err: expect.stringMatching(/^service: pi is away since /) });
    expect(answer.machines[2]).toMatchObject({ state: "away", awaySince: expect.stringMatching(/^20/), questions: [] });
    expect(answer.machines[0]?.questions).toHaveLength(1);
    // A question of this number is open on this machine.
    const refused = await here.run(["answer", "1", "yes", "--on", "pi"], { env });
    expect(refused).toMatchObject({ code: 5, out: "", err: expect.stringContaining("does not answer") });
  } finally {
    pi.relay.child.kill("SIGCONT");
  }
  expect((await questions()).machines[0]?.questions).toMatchObject([{ id: 1, state: "open" }]);
  await here.run(["answer", "1", "no", "--wait", "0"], { env });
  expect(JSON.parse(await askedHere)).toMatchObject(decision("deny"));
});

test("the number of a shell is no question to every machine", async () => {
  const refused = await here.run(["questions", "--all", "--shell", "3"], { env });
  expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining("leave --shell out") });
});
