import type { Receipt } from "../../core/protocol/receipts.ts";

/** The prompts for one shell. */
export interface QueueGroup extends Pick<Receipt, "session" | "shellId" | "agentType"> {
  /** Those that are not final, in the order of the queue. */
  readonly waiting: readonly Receipt[];
  /** The last ones that were not written in time, were refused, or may not have arrived; newest first. */
  readonly undelivered: readonly Receipt[];
}

const SHOWN_UNDELIVERED = 10;

/** Groups the receipts by shell, in the order given, and leaves out those of prompts that arrived or were cancelled. */
export function queueGroups(receipts: readonly Receipt[]): QueueGroup[] {
  const groups = new Map<string, Receipt[]>();
  for (const receipt of receipts) {
    const key = `${receipt.session}/${receipt.shellId}`;
    groups.set(key, [...(groups.get(key) ?? []), receipt]);
  }
  return [...groups.values()].flatMap((all) => {
    const waiting = all.filter((receipt) => !receipt.final && receipt.state !== "uncertain");
    const undelivered = all.filter(isUndelivered).sort((one, other) => other.id - one.id);
    const [first] = [...waiting, ...undelivered];
    if (first === undefined) return [];
    const { session, shellId, agentType } = first;
    return [{ session, shellId, agentType, waiting, undelivered: undelivered.slice(0, SHOWN_UNDELIVERED) }];
  });
}

function isUndelivered({ state, reason }: Receipt): boolean {
  return state === "expired" || state === "uncertain" || (state === "refused" && reason !== "cancelled");
}
