import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { SHARED_RELAYS } from "./end-shared-relays.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "./start-serve.ts";

export interface SharedRelay {
  readonly lab: ServeLab;
  readonly process: ServeProcess;
  /** API key of its owner. */
  readonly key: string;
}

let shared: Promise<SharedRelay> | undefined;

/**
 * The headless relay of all tests of this process that need no relay of their own: its start takes as long as many a test.
 * Each test makes a session of its own there. The run's end ends it (`endSharedRelays`).
 *
 * @param prepare called with the lab before its relay starts
 */
export async function sharedRelay(prepare: (lab: ServeLab) => void): Promise<SharedRelay> {
  const known = await shared;
  if (known !== undefined && known.process.child.exitCode === null && known.process.child.signalCode === null) {
    return known;
  }
  shared = start(prepare);
  return shared;
}

async function start(prepare: (lab: ServeLab) => void): Promise<SharedRelay> {
  const lab = await startServeLab();
  prepare(lab);
  const relay = await lab.serve();
  const folder = join(inject("bundles"), SHARED_RELAYS);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${relay.child.pid}.json`), JSON.stringify({ pid: relay.child.pid, data: lab.data }));
  return { lab, process: relay, key: await lab.makeKey() };
}
