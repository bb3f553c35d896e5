import { describe, expect, test } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { promptInput } from "../../../../../main/agents/adapters/prompt-input.ts";
import {
  checkText,
  type Obstacle,
  type TerminalPort,
  typePrompt,
} from "../../../../../main/relay/sends/type-prompt.ts";

const SHELL = 1 as ShellId;
const input = promptInput({ settleMs: 1, marker: /^> ?/, pasted: /\[Pasted\]/ });
const timing = { lookEveryMs: 1, pasteWithinMs: 30, writtenWithinMs: 30, echoedWithinMs: 30, dialogWithinMs: 1000 };

/** A terminal with a program in it that draws what `draws` makes of the input. */
function terminal({ draws = (text: string) => `> ${text}`, bracketedPaste = true, screen = "> ", queued = 0 } = {}) {
  const written: string[] = [];
  let shown = screen;
  const port: TerminalPort = {
    info: async () => ({ bracketedPaste }) as Awaited<ReturnType<TerminalPort["info"]>>,
    screen: async () => shown,
    async write(_shell, data) {
      if (data !== "") written.push(data);
      const text = data.replaceAll("\u001b[200~", "").replaceAll("\u001b[201~", "").replaceAll("\r", "\n");
      if (data !== "" && data !== "\r") shown = draws(text);
      return { queued };
    },
  };
  return { port, written, show: (text: string) => (shown = text) };
}

interface TypeOptions {
  /** Given the steps that were told so far. */
  readonly obstacle?: (steps: readonly string[]) => Obstacle | undefined;
  readonly known?: boolean;
  readonly within?: Partial<typeof timing>;
}

function type(port: TerminalPort, text: string, more: TypeOptions = {}) {
  const steps: string[] = [];
  const done = typePrompt(
    port,
    {
      ...{ shell: SHELL, text, input: more.known === false ? undefined : input },
      obstacle: () => more.obstacle?.(steps),
      begin: () => steps.push("begin"),
      written: () => steps.push("written"),
      echoed: () => steps.push("echoed"),
      entering: () => steps.push("entering"),
    },
    { ...timing, ...more.within },
  );
  return done.then((typed) => ({ typed, steps }));
}

describe("a prompt", () => {
  test("is pasted, and entered once the screen shows it", async () => {
    const { port, written } = terminal();
    const { typed, steps } = await type(port, "one\ntwo");
    expect(typed).toEqual({ end: "entered" });
    expect(steps).toEqual(["begin", "written", "echoed", "entering"]);
    expect(written).toEqual(["\u001b[200~one\rtwo\u001b[201~", "\r"]);
  });

  test("that ends with a name gets a space, so that Enter is not taken by a completion", async () => {
    const { port, written } = terminal();
    await type(port, "look at @src/main.ts");
    expect(written[0]).toBe("\u001b[200~look at @src/main.ts \u001b[201~");
  });

  test("for an agent that has drawn its input, but does not accept pastes yet, waits until it does", async () => {
    const { port, written } = terminal();
    let looks = 0;
    const starting: TerminalPort = {
      ...port,
      async info() {
        looks += 1;
        return { bracketedPaste: looks > 5 } as Awaited<ReturnType<TerminalPort["info"]>>;
      },
    };
    const { typed } = await type(starting, "one\ntwo", { within: { pasteWithinMs: 60_000 } });
    expect(typed.end).not.toBe("refused");
    expect(written[0]).toBe("\u001b[200~one\rtwo\u001b[201~");
  });

  test.each<[string, Parameters<typeof terminal>[0]]>([
    ["is not drawn", { draws: () => "> " }],
    ["stands behind a draft", { draws: (text) => `> draft ${text}` }],
    ["meets a dialog", { draws: () => "Proceed?\n> 1. Yes" }],
    ["is not read", { queued: 5 }],
  ])("that %s is not entered", async (_, options) => {
    const { port, written } = terminal(options);
    const { typed } = await type(port, "some text");
    expect(typed).toMatchObject({ end: "uncertain", why: expect.stringMatching(/Enter was not pressed/) });
    expect(written).not.toContain("\r");
  });

  test("that vanishes from the input before Enter is not entered", async () => {
    const { port, written, show } = terminal();
    const looking: TerminalPort = {
      ...port,
      async screen(shell) {
        const screen = await port.screen(shell);
        if (screen.includes("some text")) show("Proceed?\n> 1. Yes");
        return screen;
      },
    };
    const { typed, steps } = await type(looking, "some text");
    expect(typed.end).toBe("uncertain");
    expect(steps).toEqual(["begin", "written", "echoed", "entering"]);
    expect(written).toHaveLength(1);
  });

  test("that a dialog hides for a time is entered when its text is shown again", async () => {
    const { port, written, show } = terminal();
    let looks = 0;
    const asks = () => written.length > 0 && looks < 20;
    const looking: TerminalPort = {
      ...port,
      async screen(shell) {
        return asks() ? "Proceed?\n> 1. Yes" : port.screen(shell);
      },
    };
    const obstacle = (): Obstacle | undefined => {
      looks += 1;
      return asks() ? { reason: "question_open", why: "the agent asks" } : undefined;
    };
    show("> ");
    const { typed } = await type(looking, "some text", { obstacle });
    expect(typed).toEqual({ end: "entered" });
    expect(written.at(-1)).toBe("\r");
    expect(looks).toBeGreaterThan(19);
  });

  test("that something comes in the way of is not entered", async () => {
    const { port, written } = terminal();
    const obstacle = () =>
      written.length > 0 ? ({ reason: "draft_unsent", why: "a person typed" } as const) : undefined;
    const { typed } = await type(port, "some text", { obstacle });
    expect(typed).toEqual({ end: "uncertain", why: "a person typed; Enter was not pressed" });
    expect(written).toHaveLength(1);
  });

  test("that something comes in the way of at the last look is not entered", async () => {
    const { port, written } = terminal();
    // Enter is about to be pressed: nothing but the last look can tell.
    const obstacle = (steps: readonly string[]) =>
      steps.includes("entering") ? ({ reason: "draft_unsent", why: "a person typed" } as const) : undefined;
    // No time is left for another look.
    const { typed, steps } = await type(port, "some text", { obstacle, within: { echoedWithinMs: 0 } });
    expect(typed).toEqual({ end: "uncertain", why: "a person typed; Enter was not pressed" });
    expect(steps.at(-1)).toBe("entering");
    expect(written).toHaveLength(1);
  });

  test("is refused, with nothing written, for what came in the way while its screen was read", async () => {
    const { port, written } = terminal();
    let isOpen = false;
    const opening: TerminalPort = {
      ...port,
      async screen(shell) {
        isOpen = true;
        return port.screen(shell);
      },
    };
    const obstacle = (): Obstacle | undefined =>
      isOpen ? { reason: "question_open", why: "the agent asks" } : undefined;
    const { typed, steps } = await type(opening, "some text", { obstacle });
    expect(typed).toEqual({ end: "refused", reason: "question_open", why: "the agent asks" });
    expect([written, steps]).toEqual([[], []]);
  });

  test.each<[string, Parameters<typeof terminal>[0], string]>([
    ["terminal_mode", { bracketedPaste: false }, "several\nlines"],
    ["draft_unsent", { screen: "> same text" }, "same text"],
  ])("is refused with %s before anything is written", async (reason, options, text) => {
    const { port, written } = terminal(options);
    const { typed, steps } = await type(port, text);
    expect(typed).toMatchObject({ end: "refused", reason });
    expect([written, steps]).toEqual([[], []]);
  });

  test("for an unknown program is entered when its text is on the screen once more than before", async () => {
    const shown = terminal({ screen: "earlier: hello", draws: (text) => `earlier: hello\n${text}` });
    expect((await type(shown.port, "hello", { known: false })).typed.end).toBe("entered");
    const hidden = terminal({ screen: "earlier: hello", draws: () => "earlier: hello" });
    expect((await type(hidden.port, "hello", { known: false })).typed.end).toBe("uncertain");
  });
});

test("characters that a terminal takes for keys are refused, line ends and tabs are not", () => {
  expect(() => checkText("a\u001b[201~b")).toThrow(expect.objectContaining({ code: "invalid_params" }));
  expect(() => checkText("a\u0003")).toThrow(/U\+0003/);
  expect(() => checkText(" \n")).toThrow(/spaces/);
  expect(() => checkText("a\n\tb\r\nc é 👍")).not.toThrow();
});
