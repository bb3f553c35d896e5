import { setTimeout as delay } from "node:timers/promises";
import { Keys } from "../../main/relay/access/keys.ts";
import { openStore } from "../../main/relay/store/open-store.ts";
import { Store } from "../../main/relay/store/store.ts";
import { manifestWith, startTestSite } from "../integration/main/relay/plugins/test-site.ts";
import { startServeLab } from "../support/start-serve.ts";
import { ask, attempt, type Fate, once, type ReachableRelay } from "./acknowledged.ts";
import { COUNTER, CountedOutput } from "./counted-output.ts";
import { randomFrom } from "./random.ts";

/** What is left after the kills, beside what was acknowledged before them. */
export interface Losses {
  readonly kills: number;
  /** Acknowledged writes by kind. */
  readonly acknowledged: Readonly<Record<"chat" | "names" | "sessions" | "plugins" | "keys", number>>;
  /** Requests of which the relay said that it does not know whether they were executed. */
  readonly unknown: number;
  /** Acknowledged, and not there afterwards; or there twice. Sentences, none when all is well. */
  readonly wrong: readonly string[];
  /** Bytes of the shell's output that were read over all restarts. */
  readonly outputBytes: number;
}

const MOST_SESSIONS = 12;
/** Bytes of one read, about the output of forty seconds. */
const READ_BYTES = 256 * 1024;

/** A relay that can be killed: `patchbay serve`, or the app. */
export interface Victim extends AsyncDisposable {
  readonly data: string;
  /** Starts it on its one data folder; resolves when it is up. */
  start(): Promise<ReachableRelay["now"] & { kill(): Promise<void>; stop(): Promise<unknown> }>;
  makeKey(): Promise<string>;
}

/** `patchbay serve` with a client of its own. */
export async function serveVictim(): Promise<Victim> {
  const lab = await startServeLab();
  return {
    data: lab.data,
    start: () => lab.serve(["--client"]),
    makeKey: () => lab.makeKey(),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

/** Kills a relay again and again under load, and compares what it had acknowledged with what is there. */
export async function surviveKills(victim: Victim, { kills, seed }: { kills: number; seed: number }): Promise<Losses> {
  const random = randomFrom(seed);
  await using site = await startTestSite();
  const relay = { now: await victim.start(), key: await victim.makeKey() };
  const bearer = keyOf(victim.data, "plugins", "bearer");
  const wrong: string[] = [];
  const fates = new Map<string, Fate>();
  const sessions: string[] = [];
  const plugins = new Set<string>();
  const keys: string[] = [];
  const names = { tried: 0, acknowledged: 0 };
  const { shellId } = await ask<{ shellId: number }>(relay, "createShell", { command: COUNTER });
  const output = new CountedOutput();
  let stopped = false;

  const until = async (turn: (round: number) => Promise<void>) => {
    for (let round = 1; !stopped; round++) await turn(round);
  };
  const load = [
    until(async (round) => {
      const text = `message ${round}`;
      const body = { method: "sendChat", params: { message: text } };
      fates.set(text, await once(relay, text, body, () => random() < 0.05));
    }),
    until(async (round) => {
      names.tried = round;
      const body = { method: "renameTile", params: { key: 1, name: `name ${round}` } };
      const answer = await attempt(relay, "/SESSION/remote/command", { body });
      if (answer?.status === 200) names.acknowledged = round;
      else await delay(5);
    }),
    until(async (round) => {
      await delay(100 + 100 * random());
      if (sessions.length < MOST_SESSIONS) {
        const answer = await attempt(relay, "", { body: { name: `session ${round}` } });
        if (answer?.status === 201 || answer?.status === 200) sessions.push(`session ${round}`);
      }
      keys.push(keyOf(victim.data, `key ${round}`, "api"));
    }),
    until(async (round) => {
      await delay(30);
      const id = `plugin-${round % 30}`;
      site.on(`/${id}/manifest.json`, manifestWith({ id }));
      site.on(`/${id}/index.html`, "<p>");
      const body = { plugin_id: id, manifest_url: `${site.url}/${id}/manifest.json` };
      const headers = { Authorization: `Bearer ${bearer}` };
      const answer = await attempt(relay, "/SESSION/plugins", { body, headers });
      if (answer?.status === 200) plugins.add(id);
    }),
    until(async () => {
      // A relay may live a tenth of a second, in which the output of a minute does not arrive.
      output.take(await ask(relay, "getShellOutput", { id: shellId, since: output.end, maxBytes: READ_BYTES }));
      await delay(20);
    }),
  ];

  try {
    for (let kill = 1; kill <= kills; kill++) {
      await delay(300 * random());
      await relay.now.kill();
      relay.now = await victim.start();
      // Renaming goes on meanwhile: what was acknowledged before this look must be found by it.
      const { acknowledged } = names;
      const titles = await ask<{ id: number; title: string }[]>(relay, "getTerminalNames");
      const title = titles.find(({ id }) => id === shellId)?.title ?? "";
      const kept = Number(/^name (\d+)$/.exec(title)?.[1] ?? 0);
      if (kept < acknowledged) wrong.push(`kill ${kill}: name ${acknowledged}, found ${kept}`);
    }
  } finally {
    stopped = true;
    await Promise.all(load);
  }
  const shells = await ask<{ id: number; running: boolean }[]>(relay, "getShells");
  if (shells.find(({ id }) => id === shellId)?.running !== true) wrong.push("the shell did not live on");
  const listed = await attempt(relay, "/SESSION/plugins", {});
  const here = JSON.stringify(JSON.parse(listed?.text ?? "{}"));
  for (const id of plugins) if (!here.includes(`"${id}"`)) wrong.push(`${id} is not installed`);
  await relay.now.stop();
  wrong.push(...output.faults, ...notKept(victim.data, { fates, sessions, keys }));
  return {
    kills,
    acknowledged: {
      chat: [...fates.values()].filter((fate) => fate === "done").length,
      names: names.acknowledged,
      sessions: sessions.length,
      plugins: plugins.size,
      keys: keys.length,
    },
    unknown: [...fates.values()].filter((fate) => fate === "unknown").length,
    wrong,
    outputBytes: output.bytes,
  };
}

function keyOf(data: string, name: string, scheme: "api" | "bearer"): string {
  const { database } = openStore(data);
  const store = new Store(database);
  const keys = new Keys(store.keys);
  const scopes = scheme === "bearer" ? ["plugins:install"] : [];
  const [owner = ""] = store.sessions.list().map((session) => session.owner);
  const { secret } = keys.create({ owner, name, scheme, scopes });
  database.close();
  return secret;
}

/** Looks into the store itself, because lists are answered in part only. */
function notKept(
  data: string,
  { fates, sessions, keys }: { fates: Map<string, Fate>; sessions: readonly string[]; keys: readonly string[] },
): string[] {
  const counts = chatCounts(data);
  const { database } = openStore(data);
  const store = new Store(database);
  const there = new Set(store.sessions.list().map(({ name }) => name));
  const known = new Keys(store.keys);
  const faults = [
    ...[...fates].flatMap(([text, fate]) => (fate === "done" && !counts.has(text) ? [`${text} is lost`] : [])),
    ...[...counts].flatMap(([text, count]) => (count > 1 ? [`${text} is there ${count} times`] : [])),
    ...sessions.flatMap((name) => (there.has(name) ? [] : [`${name} is lost`])),
    ...keys.flatMap((secret, index) => (known.verify(secret, "api") === undefined ? [`key ${index} is lost`] : [])),
  ];
  database.close();
  return faults;
}

/** How often each chat message is in the store of a relay that has ended. */
export function chatCounts(data: string): ReadonlyMap<string, number> {
  const { database } = openStore(data);
  const rows = database.prepare("SELECT record FROM chat").all() as { record: string }[];
  const counts = new Map<string, number>();
  for (const { record } of rows) {
    const { text } = JSON.parse(record) as { text: string };
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  database.close();
  return counts;
}
