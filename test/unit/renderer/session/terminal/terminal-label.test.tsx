// @vitest-environment happy-dom
import { cleanup, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { useTerminalLabel } from "../../../../../renderer/session/terminal/terminal-label.ts";

test("the field of a terminal is named by its tile, also after the tile is renamed", () => {
  onTestFinished(cleanup);
  const terminal = { textarea: document.createElement("textarea") };
  const { rerender } = renderHook(({ title }) => useTerminalLabel(terminal, title), {
    initialProps: { title: "tests" },
  });
  expect(terminal.textarea.getAttribute("aria-label")).toBe("Terminal, tests");
  rerender({ title: "build" });
  expect(terminal.textarea.getAttribute("aria-label")).toBe("Terminal, build");
});
