import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditVerification } from "../../../core/protocol/audit.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { type ChainHead, contentDigest, nextLink } from "../store/audit-chain.ts";
import type { AuditRows, StoredLink } from "../store/audit-rows.ts";

/** Entries that are checked in one turn of the event loop. */
const BATCH = 1000;

type Broken = NonNullable<AuditVerification["broken"]>;

/**
 * Follows the chain of the audit log from its first entry to its head.
 *
 * @param expected head of an earlier verification, `<id>:<hash>`: the chain must contain it
 * @throws RemoteError `invalid_params` for a head that is older than the chain's first entry
 */
export async function verifyChain(rows: AuditRows, expected: string | undefined): Promise<AuditVerification> {
  for (;;) {
    const { anchor } = rows.chainEnds();
    const verification = await followChain(rows, parseHead(expected, anchor));
    // Trimming that let the chain begin later has removed entries that this has not seen yet.
    if (verification.broken === undefined || rows.chainEnds().anchor.id === anchor.id) return verification;
  }
}

async function followChain(rows: AuditRows, expected: ChainHead | undefined): Promise<AuditVerification> {
  const { anchor } = rows.chainEnds();
  let at: ChainHead = anchor;
  let [entries, removed] = [0, 0];
  let broken: Broken | undefined;
  for (;;) {
    const links = rows.links(at.id, BATCH);
    for (const link of links) {
      broken = whyBroken(link, at);
      if (broken !== undefined) break;
      at = nextLink(at, link.digest ?? "");
      broken = whyUnexpected(at, expected);
      if (broken !== undefined) break;
      if (link.content === null) removed += 1;
      else entries += 1;
    }
    if (broken !== undefined || links.length < BATCH) break;
    await nextTurn();
  }
  broken ??= whyShort(at, rows.chainEnds().head) ?? whyShort(at, expected);
  return {
    ok: broken === undefined,
    entries,
    removed,
    unchained: rows.countBefore(anchor.id),
    head: `${at.id}:${at.hash}`,
    ...(broken === undefined ? {} : { broken }),
  };
}

function whyBroken({ id, digest, hash, content }: StoredLink, before: ChainHead): Broken | undefined {
  if (id !== before.id + 1) {
    const missing = id - before.id - 1;
    const what = missing === 1 ? "the entry is missing" : `${missing} entries are missing from here on`;
    return { id: before.id + 1, reason: what };
  }
  if (content === null) return undefined;
  if (digest === null || contentDigest(content) !== digest) return { id, reason: "the entry was changed" };
  if (nextLink(before, digest).hash !== hash) return { id, reason: "the entry does not follow the one before it" };
  return undefined;
}

function whyUnexpected({ id, hash }: ChainHead, expected: ChainHead | undefined): Broken | undefined {
  if (expected?.id !== id || expected.hash === hash) return undefined;
  return { id, reason: "the log up to this entry is not the one that the given head belongs to" };
}

function whyShort(at: ChainHead, head: ChainHead | undefined): Broken | undefined {
  if (head === undefined || head.id < at.id || (head.id === at.id && head.hash === at.hash)) return undefined;
  if (head.id === at.id) return { id: at.id, reason: "the entry is not the one that the log ended with" };
  return { id: at.id + 1, reason: `the newest entries are missing: the log ended with ${head.id}` };
}

function parseHead(text: string | undefined, anchor: ChainHead): ChainHead | undefined {
  if (text === undefined) return undefined;
  const [id = "", hash = ""] = text.split(":");
  const head = { id: Number(id), hash };
  if (head.id > anchor.id || (head.id === anchor.id && head.hash === anchor.hash)) return head;
  const from = `the log's chain begins after entry ${anchor.id}`;
  throw new RemoteError("invalid_params", `head: ${from}, so it cannot be compared with an older head.`);
}
