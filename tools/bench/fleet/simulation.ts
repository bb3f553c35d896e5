import type { ChildProcess } from "node:child_process";
import { z } from "zod";
import { quantileOf } from "../support/median.ts";
import { processorSeconds, residentOf } from "../support/process-cost.ts";
import { startProgram } from "../support/start-program.ts";
import type { Stops } from "../support/stops.mjs";
import type { Broker, FleetOwner } from "./broker.ts";
import { type Order, Outcome } from "./simulated-members.ts";

/** Processes that share the simulated members, each with the same number of them. */
const PROCESSES = 3;
export const SESSIONS_EACH = 10;

const Reply = z.union([z.object({ id: z.int(), outcome: Outcome }), z.object({ id: z.int(), error: z.string() })]);

export interface CommandFigures {
  readonly answered: number;
  readonly failed: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/**
 * Members in a few processes: each has a TLS connection of its own, and the directory, heartbeats, subscriptions, proofs
 * and answers of the product. Simulated is the relay behind it, and the connection of the caller before it.
 */
export class Simulation {
  readonly #broker: Broker;
  readonly #processes: readonly MembersProcess[];
  readonly #owners = new Map<string, string[]>();
  #count = 0;

  /** `program`: the file that exports `serveSimulatedMembers`. */
  constructor(stops: Stops, program: string, broker: Broker) {
    this.#broker = broker;
    this.#processes = Array.from({ length: PROCESSES }, () => new MembersProcess(stops, program));
  }

  get members(): number {
    return this.#count;
  }

  get owners(): FleetOwner[] {
    return [...this.#owners].map(([owner, members]) => ({ owner, members }));
  }

  /** Joins members, and waits until each of them sees all relays of its owner. */
  async join(owners: readonly FleetOwner[]): Promise<void> {
    const shares = this.#processes.map((): { owner: string; name: string; credentialsFile: string }[] => []);
    for (const { owner, members } of owners) {
      this.#owners.set(owner, [...(this.#owners.get(owner) ?? []), ...members]);
      for (const name of members) {
        shares[this.#count++ % PROCESSES]?.push({
          owner,
          name,
          credentialsFile: this.#broker.credentialsOf(owner, name),
        });
      }
    }
    const { url } = this.#broker;
    await this.#tell((index) => ({ kind: "join", url, sessionsEach: SESSIONS_EACH, members: shares[index] ?? [] }));
    const relays = Object.fromEntries(this.owners.map(({ owner, members }) => [owner, members.length]));
    await this.#tell(() => ({ kind: "see", relays }));
  }

  /** Sends commands at a fixed rate, each from one member to another one of the same owner. */
  async load(perSecond: number, seconds: number): Promise<CommandFigures> {
    const each = perSecond / PROCESSES;
    return figuresOf(await this.#tell(() => ({ kind: "load", perSecond: each, seconds, owners: this.owners })));
  }

  /** Sends a command from each member to the next one of its owner, however long they take to be there. */
  async reach(timeoutSeconds: number): Promise<CommandFigures> {
    return figuresOf(await this.#tell(() => ({ kind: "reach", timeoutSeconds, owners: this.owners })));
  }

  /** Seconds of processor time that all members have used. */
  processorSeconds(): number {
    return this.#processes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);
  }

  /** Megabytes of all members, and of the processes that they are in. */
  residentMegabytes(): number {
    return this.#processes.reduce((sum, { pid }) => sum + residentOf(pid), 0);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((one) => one.stop()));
  }

  async #tell(order: (index: number) => Order): Promise<Outcome> {
    const outcomes = await Promise.all(this.#processes.map((one, index) => one.ask(order(index))));
    return { times: outcomes.flatMap(({ times }) => times), failures: outcomes.flatMap(({ failures }) => failures) };
  }
}

function figuresOf({ times, failures }: Outcome): CommandFigures {
  return {
    answered: times.length,
    failed: failures.length,
    p50: quantileOf(times, 0.5),
    p99: quantileOf(times, 0.99),
    longest: quantileOf(times, 1),
  };
}

/** One process of simulated members. */
class MembersProcess {
  readonly stop: () => Promise<void>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(outcome: Outcome): void; reject(error: Error): void }>();
  #asked = 0;

  constructor(stops: Stops, program: string) {
    const code = `(await import(${JSON.stringify(program)})).serveSimulatedMembers()`;
    const { child, stop } = startProgram(stops, process.execPath, ["--input-type=module", "--eval", code], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child = child;
    this.stop = stop;
    child.on("message", (message) => this.#receive(message));
    child.once("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("a process of simulated members has ended"));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  ask(order: Order): Promise<Outcome> {
    const id = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, order });
    });
  }

  #receive(message: unknown): void {
    const reply = Reply.parse(message);
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("outcome" in reply) waiting?.resolve(reply.outcome);
    else waiting?.reject(new Error(reply.error));
  }
}
