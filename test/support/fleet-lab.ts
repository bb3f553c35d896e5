import { Fleet, readFleetSetting } from "../../main/relay/fleet/fleet.ts";
import { type Broker, type BrokerOptions, startBroker } from "./nats-server.ts";
import { startTestRelay, type TestRelay, type TestRelayOptions } from "./test-relay.ts";
import { until } from "./until.ts";

export interface FleetLab extends AsyncDisposable {
  readonly broker: Broker;
  /** The relays by their names in the fleet. */
  relay(name: string): TestRelay;
  /** Joins a relay to the fleet, or again after it was restarted. */
  join(name: string): Promise<void>;
}

/** What the relay that passes an answer on adds to its headers, so that the answer is no page. */
export const PASSING_HEADERS: readonly string[] = ["content-security-policy", "x-content-type-options"];

/** A broker and real relays in this process, joined to one fleet. The broker may admit more members than those. */
export async function startFleetLab(
  names: readonly string[],
  options: TestRelayOptions = {},
  { members = [], ...more }: Partial<BrokerOptions> = {},
): Promise<FleetLab> {
  const broker = await startBroker({ ...more, members: [...names, ...members] });
  const relays = new Map<string, TestRelay>();
  const warnings: string[] = [];
  for (const name of names) relays.set(name, await startTestRelay(options));
  const relayOf = (name: string) => {
    const relay = relays.get(name);
    if (relay === undefined) throw new Error(`the lab has no relay ${name}`);
    return relay;
  };
  const join = async (name: string) => {
    const { relay } = relayOf(name);
    const setting = readFleetSetting({ url: broker.url, credentialsFile: broker.credentialsOf(name) });
    const warn = (message: string, facts?: object) =>
      warnings.push(`${name}: ${message} ${JSON.stringify(facts ?? {})}`);
    relay.fleet = new Fleet({ ...setting, relay, log: { debug: quiet, info: quiet, warn, error: warn } });
  };
  await Promise.all(names.map(join));
  await untilAllPresent(names.map(relayOf), names.length).catch((cause: unknown) => {
    throw new Error([...warnings, broker.said()].join("\n"), { cause });
  });
  return {
    broker,
    relay: relayOf,
    join,
    async [Symbol.asyncDispose]() {
      for (const relay of relays.values()) await relay[Symbol.asyncDispose]();
      await broker[Symbol.asyncDispose]();
    },
  };
}

/** Waits until each relay sees so many present ones, itself included. */
export async function untilAllPresent(relays: readonly TestRelay[], count: number): Promise<void> {
  for (const { relay } of relays) {
    await until("all relays to be present", () => {
      const { members = [] } = relay.fleet?.status() ?? {};
      return members.filter(({ state }) => state === "present").length === count;
    }).catch((cause: unknown) => {
      throw new Error(JSON.stringify(relays.map((one) => one.relay.fleet?.status())), { cause });
    });
  }
}

const quiet = () => undefined;
