import { expect, test, vi } from "vitest";
import { Screen } from "../../../../cli/acp/screen.ts";
import { TerminalView } from "../../../../cli/acp/terminal-view.ts";
import { wrapText } from "../../../../cli/acp/wrap-text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that a terminal takes
const SEQUENCE = /(\u001b\[[?\d]*[A-Za-z]|\u001b\][^\u001b]*\u001b\\|\r|\n)/;

/** A terminal of 20 columns, and what stands on it: rows that scrolled away too. */
function terminal() {
  let rows: string[] = [""];
  let row = 0;
  const output = {
    columns: 20,
    rows: 10,
    write(text: string) {
      for (const part of text.split(SEQUENCE)) {
        if (part === "\n") row += 1;
        else if (part === "\u001b[J") rows = [...rows.slice(0, row), ""];
        else if (part.startsWith("\u001b[") && part.endsWith("A")) row -= Number(part.slice(2, -1));
        else if (!part.startsWith("\u001b") && part !== "\r") rows[row] = `${rows[row] ?? ""}${part}`;
      }
    },
  };
  const view = new TerminalView(new Screen(output, false), "acp");
  const actions = { entered: vi.fn(), stop: vi.fn(() => false), nextMode: vi.fn(), leave: vi.fn() };
  view.open(actions);
  view.ready();
  const type = (text: string) => {
    for (const character of text) view.press(character, { sequence: character, name: character });
  };
  const key = (name: string, more: object = {}) => view.press(undefined, { name, ...more });
  return { view, actions, type, key, shown: () => rows.filter((line, at) => line !== "" || at < row) };
}

test("the agent's text scrolls above the input, broken at the terminal's width", () => {
  const { view, type, shown } = terminal();
  type("a draft");
  view.stream("A text that is longer ");
  view.stream("than a line.\nAnother");
  expect(shown()).toEqual(["A text that is", "longer than a line.", "Another", "❯ a draft"]);
  view.endStream();
  view.print("Printed");
  expect(shown()).toEqual(["A text that is", "longer than a line.", "Another", "Printed", "❯ a draft"]);
});

test("the cursor moves by characters and words, and text is put in and cut where it stands", () => {
  const { actions, type, key, shown } = terminal();
  const entered = () => {
    key("return");
    return actions.entered.mock.lastCall?.[0];
  };
  type("helo wurld");
  key("left", { ctrl: true });
  key("left");
  key("left");
  type("l");
  key("end");
  key("left");
  key("left");
  key("left");
  key("backspace");
  type("o");
  key("home");
  key("delete");
  type("H");
  expect(shown()).toEqual(["❯ Hello world"]);
  expect(entered()).toBe("Hello world");
  type("one two 👩 three");
  key("b", { meta: true });
  key("left");
  key("left");
  key("k", { ctrl: true });
  expect(entered()).toBe("one two");
  type("gone kept");
  key("b", { meta: true });
  key("u", { ctrl: true });
  key("f", { meta: true });
  type("!");
  key("a", { ctrl: true });
  key("d", { ctrl: true });
  expect(entered()).toBe("ept!");
  expect(actions.leave).not.toHaveBeenCalled();
});

test("the terminal's cursor stands where text is put in, also in a row above", () => {
  const written: string[] = [];
  const output = { columns: 20, rows: 10, write: (text: string) => void written.push(text) };
  const view = new TerminalView(new Screen(output, false), "acp");
  view.open({ entered: () => undefined, stop: () => false, nextMode: () => undefined, leave: () => undefined });
  view.ready();
  for (const character of "first words, then others") view.press(character, { sequence: character, name: character });
  view.press(undefined, { name: "home" });
  expect(written.at(-1)?.endsWith("❯ first words, then\r\n  others\r\u001b[1A\u001b[3G")).toBe(true);
  view.press(undefined, { name: "right" });
  expect(written.at(-1)?.startsWith("\r\u001b[J")).toBe(true);
  view.press(undefined, { name: "end" });
  expect(written.at(-1)).toMatch(/ {2}others$/);
});

test("a text is entered, edited and called up again, and a paste with line ends is one text", () => {
  const { actions, type, key, shown } = terminal();
  type("hello wrold");
  key("w", { ctrl: true });
  type("you");
  key("return");
  expect(actions.entered).toHaveBeenLastCalledWith("hello you");
  key("paste-start");
  type("one");
  key("return");
  type("two");
  key("paste-end");
  expect(shown()).toEqual(["❯ one", "  two"]);
  key("return");
  expect(actions.entered).toHaveBeenLastCalledWith("one\ntwo");
  key("up");
  key("up");
  expect(shown()).toEqual(["❯ hello you"]);
  key("paste-start");
  type("x".repeat(500));
  key("paste-end");
  expect(shown()).toEqual(["❯ [Pasted text, 509 characters]"]);
});

test("questions are answered one after the other; a paste answers none", async () => {
  const { view, type, key, shown } = terminal();
  type("draft");
  const first = view.choose({ title: "First?", labels: ["Yes", "No"] }, new AbortController().signal);
  const taken = new AbortController();
  const second = view.choose({ title: "Second?", labels: ["Yes"] }, taken.signal);
  expect(shown().slice(0, 4)).toEqual(["? First?", "  1. Yes", "  2. No", "1 more after this"]);
  key("paste-start");
  type("1");
  key("paste-end");
  type("3x0");
  type("2");
  expect(await first).toBe(1);
  taken.abort();
  expect(await second).toBeUndefined();
  expect(shown()).toEqual(["❯ draft1"]);
  const many = view.choose(
    { title: "Many?", labels: Array.from({ length: 12 }, (_, at) => `Option ${at + 1}`) },
    new AbortController().signal,
  );
  type("12");
  key("return");
  expect(await many).toBe(11);
});

test("Escape and Ctrl-C stop the turn; without one Ctrl-C is asked for twice, and Ctrl-D leaves an empty input", () => {
  const { actions, type, key } = terminal();
  actions.stop.mockReturnValue(true);
  key("escape");
  key("c", { ctrl: true });
  key("c", { ctrl: true });
  expect(actions.stop).toHaveBeenCalledTimes(3);
  expect(actions.leave).not.toHaveBeenCalled();
  actions.stop.mockReturnValue(false);
  type("draft");
  key("d", { ctrl: true });
  key("c", { ctrl: true });
  key("c", { ctrl: true });
  expect(actions.leave).not.toHaveBeenCalled();
  key("c", { ctrl: true });
  expect(actions.leave).toHaveBeenCalledTimes(1);
  key("d", { ctrl: true });
  key("tab", { shift: true });
  expect([actions.leave.mock.calls.length, actions.nextMode.mock.calls.length]).toEqual([2, 1]);
});

test("lines are broken at spaces, and never within a character", () => {
  expect(wrapText("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapText("一二三四五", 4)).toEqual(["一二", "三四", "五"]);
  expect(wrapText("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 2)).toEqual(["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"]);
  expect(wrapText(`e${"\u0301".repeat(1000)}`, 4).join("")).toHaveLength(1001);
  expect(wrapText("", 4)).toEqual([""]);
});
