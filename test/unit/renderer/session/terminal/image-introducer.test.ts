import fc from "fast-check";
import { expect, test } from "vitest";
import { ImageIntroducer } from "../../../../../renderer/session/terminal/image-introducer.ts";

const encoder = new TextEncoder();

test.each([
  ["sixel", "\x1bPq#0", true],
  ["sixel with parameters", "text\x1bP0;1;8q#0", true],
  ["sixel, introduced by a C1 control", "\u0090q", true],
  ["iTerm2's protocol", "\x1b]1337;File=inline=1:AAAA", true],
  ["iTerm2's protocol, introduced by a C1 control", "\u009d1337;File=:", true],
  ["iTerm2's protocol in parts", "\x1b]1337;MultipartFile=inline=1\x07", true],
  ["an image after an escape that began nothing", "\x1b\x1b[1m\x1bP\x1bPq", true],
  ["another DCS", "\x1bP+q544e\x1b\\ \x1bP$qm\x1b\\", false],
  ["iTerm2's other commands", "\x1b]1337;CurrentDir=/tmp\x07\x1b]1337;SetMark\x07", false],
  ["the cursor's shape", "\x1b[2 q\x1b[>q", false],
  ["text", "Pq ]1337;File= \u00e9\u0104 日本語", false],
])("%s begins an image or not, in one piece and byte by byte", (_name, text, begins) => {
  const bytes = encoder.encode(text);
  expect(new ImageIntroducer().isIn(bytes)).toBe(begins);
  const bytewise = new ImageIntroducer();
  expect([...bytes].some((byte) => bytewise.isIn(Uint8Array.of(byte)))).toBe(begins);
});

test("any text before an image leaves it found", () => {
  const part = fc.constantFrom("a", "\x1b", "P", "]", "1337;", "File", "=", "0", ";", "\u0090", "é", "[", "\\");
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(new ImageIntroducer().isIn(encoder.encode(`${parts.join("")}\x1bP0q`))).toBe(true);
    }),
  );
});
