import { afterEach, expect, test } from "vitest";
import { setSpeech } from "../../../../core/phrases.ts";
import { formatBytes } from "../../../../renderer/ui/format-bytes.ts";

afterEach(() => setSpeech({ language: "en", locale: undefined }));

test("sizes are written as the user's locale does", () => {
  setSpeech({ language: "de", locale: "de-AT" });
  expect(formatBytes(3_440_000).replace(/\s/g, " ")).toBe("3,4 MB");
});
