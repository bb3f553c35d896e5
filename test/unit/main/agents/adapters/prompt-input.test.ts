import { describe, expect, test } from "vitest";
import type { PromptInput } from "../../../../../core/protocol/prompt-input.ts";
import type { AgentAdapter } from "../../../../../main/agents/adapters/adapter.ts";
import { claudeAdapter } from "../../../../../main/agents/adapters/claude.ts";
import { codexAdapter } from "../../../../../main/agents/adapters/codex.ts";
import { geminiAdapter } from "../../../../../main/agents/adapters/gemini.ts";
import { steepGrowth } from "../../../../support/growth.ts";

const claude = inputOf(claudeAdapter());
const codex = inputOf(codexAdapter());
const gemini = inputOf(geminiAdapter());
const bar = "─".repeat(60);
const claudeScreen = (input: string, history = "") =>
  `${history}\n${bar}\n❯ ${input}\n${bar}\n  ⏸ manual mode on · ? for shortcuts`;

describe("the screen shows a prompt in the agent's input", () => {
  test("as it was typed, wrapped and indented", () => {
    expect(claude.shows(claudeScreen("Hello one\n  second line"), "Hello one\nsecond line")).toBe(true);
    expect(codex.shows("› Hello one\n  second line\n\n  gpt-5.5 · 100% left", "Hello one\nsecond line")).toBe(true);
    expect(gemini.shows("╭────╮\n│ > Hello one     │\n│   second line   │\n╰────╯", "Hello one\nsecond line")).toBe(
      true,
    );
  });

  test("as an abbreviation of a long paste", () => {
    const long = "x".repeat(3000);
    expect(claude.shows(claudeScreen("[Pasted text #2 +59 lines]"), long)).toBe(true);
    expect(codex.shows("› [Pasted Content 3000 chars]\n", long)).toBe(true);
    expect(gemini.shows(" > [Pasted Text: 60 lines]\n", long)).toBe(true);
  });

  describe("whose beginning has scrolled away", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index} of a long prompt`);
    const long = lines.join("\n");
    const draw = (shown: readonly string[], sign = "↑") =>
      `• Done.\n› ${shown[0]}${" ".repeat(60)}${sign}\n${shown
        .slice(1)
        .map((line) => `  ${line}`)
        .join("\n")}`;
    const empty = "› Ask Codex to do anything\n\n  ? for shortcuts";

    test("in an input that was empty before", () => {
      for (const before of [empty, "› \n\n  ? for shortcuts"]) {
        expect(codex.shows(draw(lines.slice(10)), long, before)).toBe(true);
        expect(codex.shows(`${draw(lines.slice(10))}\n\n  gpt-5.5 · 100% left`, long, before)).toBe(true);
      }
    });

    test("not where a draft may stand above it, nor where something else or a part of it is shown", () => {
      const screen = draw(lines.slice(10));
      expect(codex.shows(screen, long)).toBe(false);
      for (const before of ["› my draft\n", "› \n  my draft", "no input at all"])
        expect(codex.shows(screen, long, before)).toBe(false);
      expect(codex.shows(draw(lines.slice(10), ""), long, empty)).toBe(false);
      expect(codex.shows(draw(lines.slice(10, 38)), long, empty)).toBe(false);
      expect(codex.shows(draw([...lines.slice(10, 20), "a draft", ...lines.slice(20)]), long, empty)).toBe(false);
      expect(codex.shows(draw(lines.slice(39)), long, empty)).toBe(false);
      expect(claude.shows(screen.replaceAll("›", "❯"), long, "❯ \n")).toBe(false);
    });
  });

  test("or not, in a time that both their lengths take, whatever a program draws", async () => {
    const empty = "› \n\n  ? for shortcuts";
    expect(codex.shows("› ↑\n\n", "x".repeat(1000), empty)).toBe(false);
    expect(codex.shows(`› ${"a".repeat(39)} ↑\n`, "a".repeat(1000), empty)).toBe(false);
    expect(codex.shows(`› ${"a".repeat(40)} ↑\n`, `b${"a".repeat(1000)}`, empty)).toBe(true);
    expect(codex.shows(`› ${"ab".repeat(30)} ↑\n`, `${"ab".repeat(500)}c`, empty)).toBe(false);
    const look = (size: number) => codex.shows(`› ${"a".repeat(size)} ↑\n`, `${"a".repeat(size)}b`, empty);
    expect(await steepGrowth(look, 1024 * 1024)).toBeUndefined();
  });

  test("not where it stands in the history, or in a dialog, or behind a draft, or cut off", () => {
    expect(claude.shows(claudeScreen("", "❯ continue\n● Done."), "continue")).toBe(false);
    expect(claude.shows("❯ continue\nDo you want to proceed?\n❯ 1. Yes\n  2. No", "continue")).toBe(false);
    expect(claude.shows(claudeScreen("my draft continue"), "continue")).toBe(false);
    expect(claude.shows(claudeScreen("my draft [Pasted text #2]"), "x".repeat(3000))).toBe(false);
    expect(claude.shows(claudeScreen("continue with the"), "continue with the tests")).toBe(false);
    expect(claude.shows("no input at all", "continue")).toBe(false);
  });
});

test("a prompt that reached Claude Code's model in the middle of a turn is a user's message", () => {
  const parser = claudeAdapter().parser("session-1", "events");
  const told: string[] = [];
  const ignore = () => undefined;
  const sink = {
    ...{
      call: ignore,
      status: ignore,
      model: ignore,
      reported: ignore,
      facts: ignore,
      skip: ignore,
      context: ignore,
      windows: ignore,
    },
    event: ({ id, type, text }: { id: string; type: string; text: string }) => told.push(`${id} ${type} ${text}`),
  };
  const line = (attachment: object) => ({
    parentUuid: "8a925957-55f5-4512-9595-9124634fa65c",
    isSidechain: false,
    attachment,
    ...{ type: "attachment", uuid: "u-1", timestamp: "2026-11-22T07:32:30.018Z", sessionId: "session-1" },
  });
  const lines = [
    line({ type: "queued_command", prompt: "as well", commandMode: "prompt", origin: { kind: "human" } }),
    line({ type: "queued_command", prompt: "a task has ended", origin: { kind: "task-notification" } }),
    line({ type: "date", date: "2026-11-22" }),
  ];
  for (const record of lines) {
    const bytes = Buffer.from(JSON.stringify(record));
    if (parser.matters(bytes, 0, bytes.length) !== "no") parser.record(record, false, sink);
  }
  expect(told).toEqual(["u-1:0 user_message as well"]);
});

describe("the transcript contains a prompt", () => {
  test("the same text, apart from white space and from what is put around a paste", () => {
    expect(claude.isRecorded("one\ntwo", "one\r\n\ttwo ")).toBe(true);
    expect(claude.isRecorded('\n\n<pasted_content id="2b78">\nlong text\n</pasted_content>\n', "long text")).toBe(true);
    expect(gemini.isRecorded("one", "one")).toBe(true);
  });

  test("a text that was cut in reading is compared as far as it goes", () => {
    const text = "words ".repeat(3000);
    expect(claude.isRecorded(`${text.slice(0, 8192)}… [9808 characters cut]`, text)).toBe(true);
    expect(claude.isRecorded(`${text.slice(0, 8192)}… [9808 characters cut]`, `other ${text}`)).toBe(false);
  });

  test("a text that names files, whose content Gemini CLI appends", () => {
    const appended =
      "\n\n--- Content from referenced files ---\n\nContent from @README.md:\nhello\n--- End of content ---";
    expect(gemini.isRecorded(`Read @README.md${appended}`, "Read @README.md")).toBe(true);
    const cut = `${appended}${"x".repeat(9000)}`.slice(0, 8000);
    expect(gemini.isRecorded(`Read @README.md${cut}… [1000 characters cut]`, "Read @README.md")).toBe(true);
    expect(gemini.isRecorded(`Read @README.md${appended}`, "Read @OTHER.md")).toBe(false);
    expect(gemini.isRecorded(`Read README.md${appended}`, "Read README.md")).toBe(false);
    expect(gemini.isRecorded(`see @a${appended}`, `see @a${appended}`)).toBe(true);
    expect(claude.isRecorded(`Read @README.md${appended}`, "Read @README.md")).toBe(false);
  });

  test("not more, less or another text", () => {
    expect(claude.isRecorded("draft continue", "continue")).toBe(false);
    expect(claude.isRecorded("continue", "continue now")).toBe(false);
    expect(codex.isRecorded("", "continue")).toBe(false);
  });
});

function inputOf({ kind, input }: AgentAdapter): PromptInput {
  if (input === undefined) throw new Error(`${kind} takes no prompts`);
  return input;
}
