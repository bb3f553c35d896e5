import type { Store } from "../store/store.ts";
import type { Sessions } from "./sessions.ts";

/** At 8 KiB each, 80 MB. */
const DEFAULT_KEEP = 10_000;
const CHECK_EVERY_MS = 10_000;
/** Between two steps, so that a store from before the limit is trimmed without holding up the relay. */
const STEP_EVERY_MS = 20;

/**
 * Keeps the latest `keep` chat messages of each session in the store, and removes older ones in the background.
 *
 * @returns a function that stops it
 */
export function retainChat(
  store: Pick<Store, "chat">,
  sessions: Pick<Sessions, "all">,
  keep = DEFAULT_KEEP,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const step = () => {
    const isMore = sessions.all().some(({ id }) => trimmed(store, id, keep));
    timer = setTimeout(step, isMore ? STEP_EVERY_MS : CHECK_EVERY_MS).unref();
  };
  timer = setTimeout(step, STEP_EVERY_MS).unref();
  return () => clearTimeout(timer);
}

/** A disk that refuses the removal only delays it. */
function trimmed({ chat }: Pick<Store, "chat">, session: Parameters<Store["chat"]["trim"]>[0], keep: number): boolean {
  try {
    return chat.trim(session, keep);
  } catch {
    return false;
  }
}
