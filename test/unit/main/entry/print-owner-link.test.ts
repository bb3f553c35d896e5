import { expect, test } from "vitest";
import { ownerLinkText } from "../../../../main/entry/print-owner-link.ts";

test("the owner's link stands alone in its line, with the end of its time", () => {
  const url = "http://127.0.0.1:7717/s/abcdefghijklmnop#owner=pbo_secret";
  const text = ownerLinkText({ url, expiresAt: new Date(0).toISOString() });
  expect(text).toContain(`\n  ${url}\n`);
  expect(text).toMatch(/^Your own link, for one browser on this machine; until .+:\n/);
});
