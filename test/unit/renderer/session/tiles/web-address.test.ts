import { expect, test } from "vitest";
import { webAddress } from "../../../../../renderer/session/tiles/web-address.ts";

test.each([
  ["3000", "http://127.0.0.1:3000/"],
  ["3000/docs", "http://127.0.0.1:3000/docs"],
  ["localhost:5173", "http://localhost:5173/"],
  ["example.org/a?b", "https://example.org/a?b"],
  ["http://example.org", "http://example.org/"],
  ["javascript:alert(1)", undefined],
  ["file:///etc/passwd", undefined],
  ["data:text/html,x", undefined],
  ["two words", undefined],
  ["", undefined],
])("%j goes to %s", (typed, url) => expect(webAddress(typed)).toBe(url));
