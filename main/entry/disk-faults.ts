import { RemoteError } from "../../core/protocol/errors.ts";
import type { Relay } from "../relay/relay.ts";
import type { Store } from "../relay/store/store.ts";
import { markStore } from "../relay/store/store-mark.ts";
import type { HostedShells } from "../shells/host/hosted-shells.ts";
import type { Log } from "../system/log.ts";

/** An error of the file system, not of the program. */
export function isDiskError(error: unknown): error is NodeJS.ErrnoException | RemoteError {
  if (error instanceof RemoteError) return error.code === "storage_failed";
  return error instanceof Error && "syscall" in error && "path" in error;
}

/** Returns the sentence for a start that the disk refuses. */
export function diskSentence(data: string, { code, message }: NodeJS.ErrnoException | RemoteError): string {
  if (code === "storage_failed") return `Patchbay cannot start with the data folder ${data}: ${message}`;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return `The disk is full, so Patchbay cannot start with the data folder ${data} (${message}): free some space, or choose another folder with --data.`;
  }
  return `Patchbay cannot work with the data folder ${data} (${message}): make it usable, or choose another with --data.`;
}

/** A store without any session, although shells of the last run are still there. */
export function findForgottenShells(store: Store, kept: HostedShells["kept"]): string | undefined {
  const runs = kept.some(({ shells }) => shells.some(({ exit }) => exit === null));
  if (!runs || store.sessions.list().length > 0) return undefined;
  return "The database is new, although shells of the last run are still there: sessions, keys, chat and layouts are gone.";
}

/** Returns the notice of a loss, with the shells that were adopted. */
export function describeLoss(loss: string, relay: Relay): string {
  const running = relay.sessions.all().reduce((sum, session) => sum + session.record().shellCount, 0);
  if (running === 0) return loss;
  const shells = running === 1 ? "1 shell of the last run runs on" : `${running} shells of the last run run on`;
  return `${loss} ${shells}: close what you no longer need. Their SERVICE_TOKEN may be void.`;
}

/** Reports damage that was found while the relay runs; the next start checks the whole database. */
export function reportDamage({ data, id, log, error }: { data: string; id: string; log: Log; error: unknown }): void {
  log.error("The database is damaged. Restart Patchbay, which puts it aside and starts a new one.", { error });
  markStore(data, { id, inUse: true, damaged: true });
}
