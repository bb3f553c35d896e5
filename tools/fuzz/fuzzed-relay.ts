import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RemoteError } from "../../core/protocol/errors.ts";
import { Relay } from "../../main/relay/relay.ts";
import { openStore } from "../../main/relay/store/open-store.ts";
import { Store } from "../../main/relay/store/store.ts";
import { noAgents } from "../../test/support/no-agents.ts";
import { standInShellHost } from "../../test/support/stand-in-shell-host.ts";

/** Failures that the relay has logged. */
export const failures: unknown[] = [];

/** Starts the real relay in this process. Its shells refuse to start, because a fuzzer must not type into real shells. */
export function makeRelay(): Relay {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-fuzz-"));
  const quiet = () => undefined;
  return new Relay({
    store: new Store(openStore(folder).database),
    log: { debug: quiet, info: quiet, warn: quiet, error: (message, fields) => failures.push([message, fields]) },
    version: "0.0.0",
    docsFolder: folder,
    pagesFolder: folder,
    commandTimeoutMs: 50,
    agents: noAgents,
    shellHostFor: () => standInShellHost({}, new RemoteError("spawn_failed", "No shells here.")),
  });
}

/** Throws a failure that the relay has logged since the last call. */
export function checkFailures(): void {
  const [first] = failures.splice(0);
  if (first !== undefined) throw new Error(`the relay failed: ${JSON.stringify(first)}`);
}
