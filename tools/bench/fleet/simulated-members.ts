import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { Fleet, readFleetSetting } from "../../../main/relay/fleet/fleet.ts";
import { callForeign, standInRelay } from "./stand-in-relay.ts";

/** Handshakes that a process of members has under way while it joins them. */
const JOIN_AT_ONCE = 10;
/** How often it is checked what is due or has arrived. */
const TICK_MS = 5;

const Owner = z.object({ owner: z.string(), members: z.array(z.string()).readonly() });

/** What the benchmark tells a process of simulated members. */
export const Order = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("join"),
    url: z.string(),
    sessionsEach: z.int(),
    members: z.array(z.object({ owner: z.string(), name: z.string(), credentialsFile: z.string() })),
  }),
  /** Waits until each member sees this many relays of its owner, itself included. */
  z.object({ kind: z.literal("see"), relays: z.record(z.string(), z.int()) }),
  /** Sends commands at a fixed rate, each to a session of another member of the same owner. */
  z.object({ kind: z.literal("load"), perSecond: z.number(), seconds: z.number(), owners: z.array(Owner) }),
  /** Sends one command from each member to the next one of its owner, and waits for the answers. */
  z.object({ kind: z.literal("reach"), timeoutSeconds: z.number(), owners: z.array(Owner) }),
]);
export type Order = z.infer<typeof Order>;

/** What became of commands. */
export const Outcome = z.object({
  /** Milliseconds that each answered command took. */
  times: z.array(z.number()),
  failures: z.array(z.string()),
});
export type Outcome = z.infer<typeof Outcome>;

interface Member {
  readonly owner: string;
  readonly name: string;
  readonly sessionsEach: number;
  readonly fleet: Fleet;
}

/** Executes the orders that the process receives. Its members are those of `main/relay/fleet`, with a stand-in for their relay. */
export function serveSimulatedMembers(): void {
  const members: Member[] = [];
  process.on("message", (message) => {
    const { id, order } = z.object({ id: z.int(), order: Order }).parse(message);
    execute(members, order).then(
      (outcome) => process.send?.({ id, outcome }),
      (error: unknown) => process.send?.({ id, error: String(error) }),
    );
  });
  process.on("disconnect", () => process.exit());
}

async function execute(members: Member[], order: Order): Promise<Outcome> {
  switch (order.kind) {
    case "join":
      await join(members, order);
      return { times: [], failures: [] };
    case "see":
      await see(members, order.relays);
      return { times: [], failures: [] };
    case "load":
      return await load(members, order);
    case "reach":
      return await reach(members, order);
  }
}

async function join(members: Member[], order: Order & { kind: "join" }): Promise<void> {
  for (let from = 0; from < order.members.length; from += JOIN_AT_ONCE) {
    const joined = order.members.slice(from, from + JOIN_AT_ONCE).map(({ owner, name, credentialsFile }): Member => {
      const sessionIds = Array.from({ length: order.sessionsEach }, (_, index) => sessionOf(name, index));
      const setting = readFleetSetting({ url: order.url, credentialsFile });
      const fleet = new Fleet({ ...setting, relay: standInRelay(sessionIds), log: silent });
      return { owner, name, sessionsEach: order.sessionsEach, fleet };
    });
    members.push(...joined);
    await Promise.all(joined.map(({ fleet }) => fleet.attempted));
  }
}

async function see(members: readonly Member[], relays: Readonly<Record<string, number>>): Promise<void> {
  for (const { owner, fleet } of members) {
    const present = () => fleet.status().members.filter(({ state }) => state === "present").length;
    while (present() < (relays[owner] ?? 0)) await delay(TICK_MS);
  }
}

async function load(
  members: readonly Member[],
  { perSecond, seconds, owners }: Order & { kind: "load" },
): Promise<Outcome> {
  const names = new Map(owners.map(({ owner, members: all }) => [owner, all]));
  const callers = members.filter(({ owner }) => (names.get(owner)?.length ?? 0) > 1);
  const calls: Promise<void>[] = [];
  const outcome: Outcome = { times: [], failures: [] };
  const startedAt = performance.now();
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - startedAt) {
    for (const due = Math.floor((elapsed / 1000) * perSecond); calls.length < due; ) {
      const caller = callers[calls.length % callers.length];
      if (caller === undefined) break;
      const others = (names.get(caller.owner) ?? []).filter((name) => name !== caller.name);
      const other = others[Math.floor(Math.random() * others.length)] ?? "";
      const session = sessionOf(other, Math.floor(Math.random() * caller.sessionsEach));
      calls.push(timed(() => callForeign(caller.fleet.foreign, session, 15), outcome));
    }
    await delay(TICK_MS);
  }
  await Promise.all(calls);
  return outcome;
}

async function reach(
  members: readonly Member[],
  { timeoutSeconds, owners }: Order & { kind: "reach" },
): Promise<Outcome> {
  const next = new Map(
    owners.flatMap(({ owner, members: all }) =>
      all.map((name, index) => [`${owner} ${name}`, all[(index + 1) % all.length] ?? ""]),
    ),
  );
  const outcome: Outcome = { times: [], failures: [] };
  const calls = members.map(({ owner, name, fleet }) => {
    const session = sessionOf(next.get(`${owner} ${name}`) ?? "", 0);
    return timed(() => callForeign(fleet.foreign, session, timeoutSeconds), outcome);
  });
  await Promise.all(calls);
  return outcome;
}

async function timed(call: () => Promise<void>, { times, failures }: Outcome): Promise<void> {
  const before = performance.now();
  try {
    await call();
    times.push(performance.now() - before);
  } catch (error) {
    failures.push(String(error));
  }
}

function sessionOf(name: string, index: number): string {
  return `${name}-${index}`;
}

const quiet = () => undefined;
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet };
