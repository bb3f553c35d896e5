import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { KnownMachines } from "../../../../client/known-machines.ts";
import { newRemoteId, Remotes } from "../../../../client/remotes.ts";
import type { MachineRef } from "../../../../core/protocol/machines.ts";
import type { Question } from "../../../../core/protocol/questions.ts";
import type { TokenStore } from "../../../../main/system/keychain.ts";
import { type AgentShell, answer, decision, event, list, openShell, report } from "../../../support/agent-questions.ts";
import { type FleetLab, startFleetLab, untilAllPresent } from "../../../support/fleet-lab.ts";
import type { TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";
import { sessions as fakeSessions, ok, startFakeRelay } from "../../../unit/cli/fake-relay.ts";

const direct: MachineRef = { via: "remote", machine: "direct" };
const inFleet: MachineRef = { via: "fleet", machine: "box" };
const both = [direct, inFleet].map((ref) => ({ ref }));
const addedAt = "2026-11-21T04:00:00.000Z";

let lab: FleetLab;
let laptop: TestRelay;
let box: TestRelay;
let data: string;
let remotes: Remotes;
let secrets: Map<string, string>;
let env: Record<string, string>;
let machines: KnownMachines;
const clients: AsyncDisposable[] = [];
const shells = new Map<TestRelay, AgentShell>();
let runs = 0;

beforeAll(async () => {
  lab = await startFleetLab(["laptop", "box"]);
  laptop = lab.relay("laptop");
  box = lab.relay("box");
  for (const relay of [laptop, box]) {
    clients.push(await relay.join());
    shells.set(relay, await openShell(relay));
  }
  data = mkdtempSync(join(tmpdir(), "patchbay-machines-"));
  remotes = new Remotes(data);
  remotes.add("direct", { id: newRemoteId(), url: box.url, addedAt });
  secrets = new Map();
  env = {};
  const keychain: TokenStore = {
    get: async (account) => secrets.get(account),
    set: async (account, secret) => void secrets.set(account, secret),
    delete: async (account) => secrets.delete(account),
  };
  machines = new KnownMachines({
    data,
    env,
    keychain,
    url: () => laptop.url,
    fleet: () => laptop.relay.fleet?.others() ?? [],
    keptQuestions: async (member) => (await laptop.relay.fleet?.keptQuestions(member)) ?? [],
  });
  laptop.relay.machines = machines;
});
afterEach(() => secrets.clear());
afterAll(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

test.each(both)(
  "a question is answered on its machine, and a later answer is told who gave the first one, and what ($ref.via)",
  async ({ ref }) => {
    secrets.set(machineAt(ref).id, box.key);
    const asked = ask(box, `make ${ref.via}`);
    const question = await untilListed(ref, `Bash: make ${ref.via}`);
    expect(question).toMatchObject({ state: "open", answerable: true, session: box.session });
    const given = { session: box.session, id: question.id, confirmScreen: false, wait: 0 };
    expect(await machineAt(ref).answerQuestion({ ...given, option: "yes" })).toMatchObject({
      state: "answered",
      answeredBy: { kind: "user", name: expect.any(String) },
      answer: { option: "yes" },
    });
    expect(JSON.parse(await asked)).toMatchObject(decision("allow"));
    await expect(machineAt(ref).answerQuestion({ ...given, option: "no" })).rejects.toMatchObject({
      code: "question_closed",
      message: expect.stringMatching(/answered.*yes/i),
    });
    const all = await machineAt(ref).questionsOf({ session: box.session, shell: shellOf(box).shell });
    expect(all.find(({ id }) => id === question.id)).toMatchObject({ state: "answered", answer: { option: "yes" } });
    const { text } = await box.request("GET", "/v1/audit");
    expect(text).toContain("answerQuestion");
    expect(lab.broker.said()).not.toContain(box.key);
  },
);

test.each(both)(
  "over HTTP the owner's key of this relay lists another machine, gives its key, and answers there ($ref.via)",
  async ({ ref }) => {
    const at = `/v1/machines/${ref.via}/${ref.machine}`;
    const keep = (key: string) => laptop.request("PUT", `${at}/key`, { body: { key, remoteSession: box.session } });
    expect((await keep(laptop.key)).headers.get("x-service-error")).toBe("invalid_params");
    expect(secrets.size).toBe(0);
    expect((await keep(box.key)).status).toBe(200);
    expect(secrets.get(machineAt(ref).id)).toBe(box.key);

    const asked = ask(box, `make http ${ref.via}`);
    const { id } = await untilListed(ref, `Bash: make http ${ref.via}`);
    const { result } = JSON.parse((await laptop.request("GET", "/v1/machines")).text);
    expect(result).toContainEqual(
      expect.objectContaining({ ...ref, state: "reachable", key: "valid", keepsKey: true }),
    );
    const give = (option: string) =>
      laptop.request("POST", `${at}/answer`, { body: { remoteSession: box.session, id, option, wait: 0 } });
    expect(JSON.parse((await give("yes")).text).result).toMatchObject({ state: "answered", answer: { option: "yes" } });
    expect(JSON.parse(await asked)).toMatchObject(decision("allow"));
    expect((await give("no")).headers.get("x-service-error")).toBe("question_closed");
    const query = `remoteSession=${box.session}&shell=${shellOf(box).shell}`;
    const { text } = await laptop.request("GET", `${at}/questions?${query}`);
    expect(JSON.parse(text).result).toContainEqual(expect.objectContaining({ id, state: "answered" }));

    expect((await laptop.request("DELETE", `${at}/key`)).status).toBe(200);
    expect(secrets.size).toBe(0);
    const audit = (await laptop.request("GET", "/v1/audit")).text;
    expect(audit).toContain("answerMachineQuestion");
    expect(audit).not.toContain(box.key);
  },
);

test.each(both)("the machine decides whether the key may answer ($ref.via)", async ({ ref }) => {
  const { relay } = box;
  const key = relay.keys.create({ owner: relay.user, name: `reader-${ref.via}`, restrictions: { readOnly: true } });
  secrets.set(machineAt(ref).id, key.secret);
  const asked = ask(box, `read ${ref.via}`);
  const { id } = await untilListed(ref, `Bash: read ${ref.via}`);
  const given = { session: box.session, id, option: "yes", confirmScreen: false, wait: 0 };
  await expect(machineAt(ref).answerQuestion(given)).rejects.toMatchObject({ code: "scope_forbids" });
  expect(await openIds(box)).toContain(id);
  relay.keys.revoke(`reader-${ref.via}`);
  await expect(machineAt(ref).answerQuestion(given)).rejects.toMatchObject({ code: "unauthenticated" });
  expect((await answer(box, id, { option: "no" })).status).toBe(200);
  await asked;
});

test("a machine of the fleet is asked or none: a question of this machine is never listed or answered in its name", async () => {
  // A key and a session of this machine, as in a copied data folder.
  secrets.set(machineAt(inFleet).id, laptop.key);
  const asked = ask(laptop, "make here");
  const { id } = await until("the question", async () => (await list(laptop)).find(({ state }) => state === "open"));
  const others = () => laptop.relay.fleet?.others() ?? [];
  const copied = new KnownMachines({
    data,
    env,
    keychain: { get: async () => laptop.key, set: async () => undefined, delete: async () => false },
    url: () => laptop.url,
    fleet: () => others().map((one) => ({ ...one, sessions: [{ id: laptop.session, name: "default" }] })),
    keptQuestions: async () => [],
  });
  expect((await copied.list()).find(({ via }) => via === "fleet")).toMatchObject({ machine: "box", questions: [] });
  const given = { session: laptop.session, id, option: "yes", confirmScreen: false, wait: 0 };
  await expect(machineAt(inFleet).answerQuestion(given)).rejects.toMatchObject({
    code: "relay_away",
    message: "box does not serve this session in the fleet now.",
  });
  expect(await openIds(laptop)).toEqual([id]);
  expect((await answer(laptop, id, { option: "no" })).status).toBe(200);
  await asked;
});

test("a machine that is away is said to be; of the fleet its questions are read as they were kept, and not answered", async () => {
  secrets.set(machineAt(inFleet).id, box.key);
  const asked = ask(box, "make away");
  const { id } = await untilListed(inFleet, "Bash: make away");
  await box.relay.fleet?.[Symbol.asyncDispose]();
  await until("the absence", () => laptop.relay.fleet?.others().every(({ isPresent }) => !isPresent));
  const away = (await machines.list()).find(({ via }) => via === "fleet");
  expect(away).toMatchObject({ machine: "box", state: "away", awaySince: expect.any(String), key: "unknown" });
  expect(away?.questions.filter(({ question: { state } }) => state === "open")).toMatchObject([
    { session: "default", question: { id, title: "Bash: make away", answerable: false } },
  ]);
  const given = { session: box.session, id, option: "yes", confirmScreen: false, wait: 0 };
  await expect(machineAt(inFleet).answerQuestion(given)).rejects.toThrow("box is away.");
  remotes.add("off", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt });
  const off: MachineRef = { via: "remote", machine: "off" };
  await expect(machineAt(off).answerQuestion(given)).rejects.toMatchObject({
    code: "relay_away",
    message: expect.stringMatching(/^off \(.*nothing listens there.*away since/),
  });
  remotes.remove("off");
  expect(await openIds(box)).toContain(id);
  await lab.join("box");
  await untilAllPresent([laptop, box], 2);
  const back = await machineAt(inFleet).answerQuestion({ ...given, option: "no" });
  expect(back).toMatchObject({ state: "answered" });
  expect(JSON.parse(await asked)).toMatchObject(decision("deny"));
});

test("what is no question, or far too long, is not shown, and a question counts as one of the session that was asked", async () => {
  const asked = ask(box, "make sample");
  const sample = await until("the question", async () => (await list(box)).find(({ state }) => state === "open"));
  const rows = [
    { ...sample, session: "another1" },
    { ...sample, id: "rubbish" },
    { ...sample, id: 2, text: "x".repeat(500_000) },
    { ...sample, id: 3, detail: { input: "\n".repeat(64_000), diff: "+\n".repeat(32_000) } },
    ...Array.from({ length: 300 }, (_, index) => ({ ...sample, id: 1000 + index })),
  ];
  await using fake = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    else if (url === "/v1/sessions") ok(response, fakeSessions.slice(0, 1));
    else ok(response, url.endsWith("/questions") ? rows : []);
  });
  remotes.add("fake", { id: newRemoteId(), url: fake.url, addedAt });
  env.SERVICE_TOKEN_FAKE = "pb_fake";
  const shown = (await machines.list()).find(({ machine }) => machine === "fake")?.questions ?? [];
  expect(shown.length).toBeLessThanOrEqual(200);
  expect(shown[0]).toMatchObject({ session: "default", question: { id: sample.id, session: fakeSessions[0]?.id } });
  expect(shown.slice(1, 3).map(({ question }) => question.id)).toEqual([3, 1000]);
  remotes.remove("fake");
  expect((await answer(box, sample.id, { option: "no" })).status).toBe(200);
  await asked;
});

function machineAt(ref: MachineRef) {
  const machine = machines.find(ref);
  if (machine === undefined) throw new Error(`there is no machine ${ref.machine}`);
  return machine;
}

function shellOf(relay: TestRelay): AgentShell {
  const shell = shells.get(relay);
  if (shell === undefined) throw new Error("the relay has no shell");
  return shell;
}

/** Asks as an agent in the relay's shell does; resolves to the hook's output. */
function ask(relay: TestRelay, command: string): Promise<string> {
  runs += 1;
  const output = report(relay, shellOf(relay).token, event("PermissionRequest", command), `run-${runs}`);
  output.catch(() => undefined);
  return output;
}

/** The question of this title as the panel gets it. */
async function untilListed(ref: MachineRef, title: string): Promise<Question> {
  return until(`the question ${title}`, async () => {
    const machine = (await machines.list()).find((one) => one.via === ref.via && one.machine === ref.machine);
    return machine?.questions.find(({ question }) => question.title === title)?.question;
  });
}

async function openIds(relay: TestRelay): Promise<number[]> {
  return (await list(relay)).filter(({ state }) => state === "open").map(({ id }) => id);
}
