import { isDeepStrictEqual } from "node:util";
import { readsOnly } from "../../core/commands/command.ts";
import { type MethodName, specs } from "../../core/commands/specs.ts";
import type { TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

/** Tells whether a command may be asked twice in one session and compared. */
export function isRead(method: MethodName): boolean {
  // A wait is not compared twice in one session: what it waits for has come.
  return readsOnly(specs[method]) && method !== "waitFor";
}

/** Tells whether a command names no client: one that answers a request, or that the declaration leaves without a target. */
export function isUntargeted(method: MethodName): boolean {
  return specs[method].untargeted === true || method === "answerAdopt" || method === "answerRoleRequest";
}

/** Asks in two ways until the answers are equal, because a shell's programs change its record by themselves. */
export async function untilEqual<T>(ask: () => Promise<[T, T]>): Promise<[T, T]> {
  let latest = await ask();
  await until("the answers to be equal", async () => {
    latest = isDeepStrictEqual(...latest) ? latest : await ask();
    return isDeepStrictEqual(...latest);
  }).catch(() => undefined);
  return latest;
}

/** Masks what differs between two sessions that are equal: names made at random, addresses, times and process numbers. */
export function withoutChance<T>(answer: T, { session, folder, url }: TestRelay): T {
  const text = JSON.stringify(answer)
    .replaceAll(session, "SESSION")
    .replaceAll(folder, "FOLDER")
    .replaceAll(url, "URL")
    .replace(/"secret":"[^"]*"/g, '"secret":"RANDOM"')
    .replace(/127\.0\.0\.1:\d+/g, "ADDRESS")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/"(\w*(?:At|Ms|pid|Pid|memoryBytes|cpuPercent|parent|startOffset|endOffset|offset|end))":\d+/g, '"$1":0')
    .replace(/\b(?:pb[a-z]?_|inv_)?(?=[\w-]*(?:\d|[a-z][A-Z]))[\w-]{16,}\b/g, "RANDOM")
    .replace(/\b[0-9a-f]{12,}\b/g, "RANDOM");
  return JSON.parse(text) as T;
}
