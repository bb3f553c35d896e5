import { expect, test } from "vitest";
import { ownerLinkText } from "../../../../main/entry/print-owner-link.ts";

test("the owner's link stands alone in its line, with the end of its time", () => {
  const url = "http://127.0.0.1:7717/s/abcdefghijklmnop#owner=pbo_secret";
  const text = ownerLinkText({ url, expiresAt: new Date(0).toISOString() }, undefined);
  expect(text).toContain(`\n  ${url}\n`);
  expect(text).toMatch(/^Your own link, for one browser on this machine; until .+:\n/);
  expect(text).not.toContain("phone");
});

test("where other machines reach the relay there is a link for a phone, with its code", () => {
  const expiresAt = new Date(0).toISOString();
  const outside = { url: "https://192.0.2.7:7718/s/abcdefghijklmnop#owner=pbo_other", expiresAt };
  const text = ownerLinkText({ url: "http://127.0.0.1:7717/s/a#owner=pbo_secret", expiresAt }, outside);
  expect(text).toContain(`phone or another machine, likewise:\n  ${outside.url}\n`);
  expect(text).toContain("\u2588");
});
