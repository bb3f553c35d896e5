import { readFileSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { FleetError } from "../relay/net/fleet-peer.ts";
import type { FleetMembership } from "../relay/operations/fleet.ts";
import type { Relay, RelayFleet } from "../relay/relay.ts";
import type { Log } from "../system/log.ts";
import { writeAtomically } from "../system/write-atomically.ts";
import type { FleetSetting } from "./options/options.ts";

/** An attempt to join answers within this time, also where the broker does not: its own limit is 5 s. */
const ATTEMPT_MS = 6_000;

/** The fleet that was joined while a relay ran, as the data folder keeps it. */
const KeptFleet = z.strictObject({ broker: z.string(), credentials: z.string() });
type KeptFleet = z.infer<typeof KeptFleet>;

/** Joins a fleet with a setting that was read. */
export type JoinFleet = (relay: Relay, log: Log) => RelayFleet & { readonly attempted: Promise<void> };

/** Reads a fleet's setting, its credentials file among it. Without a fleet, nothing of it is loaded. Rejects with a FleetError. */
export async function readFleet(setting: FleetSetting): Promise<JoinFleet> {
  const { Fleet, readFleetSetting } = await import("../relay/fleet/fleet.ts");
  const read = readFleetSetting(setting);
  return (relay, log) => new Fleet({ ...read, relay, log });
}

interface KeeperOptions {
  /** The data folder. */
  readonly data: string;
  readonly relay: Relay;
  readonly log: Log;
}

/**
 * The relay's membership of a fleet: that of `--fleet`, or the one that was joined while a relay of the data folder ran. The
 * folder keeps the broker's address and the path of the credentials, and no second copy of them.
 */
export class FleetKeeper implements FleetMembership {
  readonly #options: KeeperOptions;
  readonly #file: string;
  /** Calls are executed one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #problem: string | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#file = join(options.data, "fleet.json");
  }

  get kept(): string | undefined {
    return this.#read()?.broker;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** Joins the fleet of `--fleet`, else the kept one. What is wrong with that one is told, and does not end the start. */
  async start(given: JoinFleet | undefined): Promise<void> {
    const { relay, log } = this.#options;
    const kept = given === undefined ? this.#read() : undefined;
    try {
      const joinFleet = given ?? (kept && (await readFleet(settingOf(kept))));
      relay.fleet = joinFleet?.(relay, log);
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      this.#problem = error.message.replace(/^--fleet(?:-creds)?: /, "");
      log.warn("the fleet cannot be joined", { error: this.#problem });
    }
  }

  join(wanted: KeptFleet): Promise<void> {
    return this.#next(async () => {
      const { relay, log } = this.#options;
      if (!isAbsolute(wanted.credentials)) {
        throw new FleetError("--fleet-creds: give the whole path of the file, beginning with /.");
      }
      const joinFleet = await readFleet(settingOf(wanted));
      await this.#end();
      const fleet = joinFleet(relay, log);
      relay.fleet = fleet;
      writeAtomically(this.#file, JSON.stringify(wanted));
      const limit = new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS).unref());
      await Promise.race([fleet.attempted, limit]);
    });
  }

  leave(): Promise<void> {
    return this.#next(async () => {
      rmSync(this.#file, { force: true });
      await this.#end();
    });
  }

  async #end(): Promise<void> {
    const { relay } = this.#options;
    const { fleet } = relay;
    this.#problem = undefined;
    relay.fleet = undefined;
    await fleet?.[Symbol.asyncDispose]();
  }

  #next(action: () => Promise<void>): Promise<void> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #read(): KeptFleet | undefined {
    try {
      return KeptFleet.safeParse(JSON.parse(readFileSync(this.#file, "utf8"))).data;
    } catch {
      return undefined;
    }
  }
}

function settingOf({ broker, credentials }: KeptFleet): FleetSetting {
  return { url: broker, credentialsFile: credentials };
}
