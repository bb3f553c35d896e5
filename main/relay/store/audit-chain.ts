import { createHash } from "node:crypto";

/** A link of the chain: the position of an entry, the hash of its content, and the chain's hash up to it. */
export interface ChainLink {
  readonly id: number;
  /** Hash of the entry's content; it stays when trimming removes the content. */
  readonly digest: string;
  readonly hash: string;
}

/** The end of a chain up to and including an entry. The hash of an empty chain is an empty text. */
export type ChainHead = Pick<ChainLink, "id" | "hash">;

/** Returns the hash of the stored columns of an entry, in the order of the table. */
export function contentDigest(columns: readonly (string | number | null)[]): string {
  return sha256(JSON.stringify(columns));
}

/** Returns the link that follows a head. */
export function nextLink({ id, hash }: ChainHead, digest: string): ChainLink {
  return { id: id + 1, digest, hash: sha256(`${hash}\n${id + 1}\n${digest}`) };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
