import { expect, test } from "vitest";
import {
  parseClipboardRequest,
  pasteNeedsConfirmation,
  pastePreview,
} from "../../../../../renderer/session/terminal/paste.ts";
import { WebglSlots } from "../../../../../renderer/session/terminal/webgl.ts";

test.each([
  ["ls", false, false],
  ["ls\n", false, true],
  ["ls\r\nrm -r x", false, true],
  ["a\rb", false, true],
  ["a\nb", true, false],
])("pasting %j (bracketed: %s) needs a question: %s", (text, bracketed, asks) => {
  expect(pasteNeedsConfirmation(text, bracketed)).toBe(asks);
});

test("the question shows the first lines and counts the rest", () => {
  expect(pastePreview("1\n2\n3\n4\n5\n6\n")).toEqual({ count: 6, lines: ["1", "2", "3", "4"], more: 2 });
});

test.each([
  ["c;aGVsbG8=", "hello"],
  [`c;${Buffer.from("日本語").toString("base64")}`, "日本語"],
  ["c;?", undefined],
  ["c;", undefined],
  ["c;not base64!", undefined],
  ["c;/w==", undefined],
  ["aGVsbG8=", undefined],
])("OSC 52 %s offers %s", (data, text) => expect(parseClipboardRequest(data)).toBe(text));

test("OSC 52 has a limit", () => {
  expect(parseClipboardRequest(`c;${"QUFB".repeat(500_000)}`)).toBeUndefined();
});

test("WebGL contexts are limited, reusable, and released once", () => {
  const slots = new WebglSlots(() => "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620)");
  const held = Array.from({ length: 50 }, () => slots.take()).filter((slot) => slot !== undefined);
  expect(held.length).toBeLessThanOrEqual(16);
  expect(slots.take()).toBeUndefined();
  held[0]?.();
  held[0]?.();
  expect(slots.take()).toBeDefined();
  expect(slots.take()).toBeUndefined();
});

test.each([
  "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)",
  "ANGLE (Mesa, llvmpipe (LLVM 15.0.6 256 bits), OpenGL 4.5)",
  "ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0)",
  undefined,
])("no terminal draws with WebGL by %s, and that is asked once", (driver) => {
  let asked = 0;
  const slots = new WebglSlots(() => {
    asked += 1;
    return driver;
  });
  expect([slots.take(), slots.take()]).toEqual([undefined, undefined]);
  expect(asked).toBe(1);
});
