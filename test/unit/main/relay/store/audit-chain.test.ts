import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { contentDigest, nextLink } from "../../../../../main/relay/store/audit-chain.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const empty = { id: 0, hash: "" };

test("a link's hash covers the one before it, its own position and its content", () => {
  const digest = contentDigest(["a", null, 1]);
  expect(digest).toBe(sha256('["a",null,1]'));
  const first = nextLink(empty, digest);
  expect(first).toEqual({ id: 1, digest, hash: sha256(`\n1\n${digest}`) });
  expect(nextLink(first, digest)).toEqual({ id: 2, digest, hash: sha256(`${first.hash}\n2\n${digest}`) });
});

test("contents that differ in a value, its type or its place have different digests", () => {
  const contents = [["1"], [1], [null], ["null"], [""], [], ["1", ""], ["", "1"], ["1,"], ["1", null]];
  expect(new Set(contents.map(contentDigest)).size).toBe(contents.length);
});
