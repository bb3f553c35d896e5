import { expect, test } from "vitest";
import { endedText } from "../../../../../renderer/session/shells/ended-text.ts";

test.each([
  [{ exitCode: 137, signal: "SIGKILL" }, "ended by SIGKILL"],
  [{ exitCode: 137, signal: null }, "ended, exit code 137"],
  [{ exitCode: 0, signal: null }, "ended, exit code 0"],
  [{ exitCode: 1 }, "ended, exit code 1"],
  [{ exitCode: null, signal: null }, "ended"],
])("how a shell with %j ended", (shell, text) => {
  expect(endedText(shell)).toBe(text);
});
