import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type HookReporter, hooksOfShell } from "../../support/agent-questions.ts";
import { spend } from "../../support/spend.ts";
import { until } from "../../support/until.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

/**
 * What the owner comes to the panel for, each from a fresh page, by keyboard alone and by pointer alone. A key, a press, a
 * scroll and a typed word are a step each.
 */

type Way = "keyboard" | "pointer";

/** Counts the steps of one job. */
class Steps {
  readonly page: Page;
  count = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async key(name: string): Promise<void> {
    this.count += 1;
    await this.page.keyboard.press(name);
  }

  async type(word: string): Promise<void> {
    this.count += 1;
    await this.page.keyboard.type(word);
  }

  /** Presses what a pointer finds; what is out of view takes a scroll before. */
  async click(target: Locator): Promise<void> {
    await target.waitFor();
    this.count += (await isInView(target)) ? 1 : 2;
    await target.click();
  }
}

interface Job {
  readonly name: string;
  /**
   * Steps in the tray panel of revision c0d0ceee, which had no page in a browser: the fewest by its code, from the moment
   * it is shown.
   */
  readonly before: Record<Way, number>;
  /** Steps now. */
  readonly now: Record<Way, number>;
  /** At most half as many as before, rounded up. */
  readonly isHalf?: boolean;
  /** Makes what the job is about, before the panel is opened; returns what tells that the job is done. */
  prepare?(): Promise<() => Promise<unknown>>;
  /** Does the job. */
  run(steps: Steps, way: Way): Promise<void>;
}

let lab: WebLab;
let agent: HookReporter;

beforeAll(async () => {
  lab = await startWebLab({ client: true });
  await lab.kill();
  spend(lab.data, 2.5, "claude");
  spend(lab.data, 1.25, "codex");
  await lab.revive();
  const { url, session } = lab.relay();
  agent = await hooksOfShell(
    { url, session },
    {
      file: join(tmpdir(), `patchbay-jobs-${session}`),
      createShell: (command) => lab.command("createShell", { command }),
    },
  );
}, 60_000);
afterAll(() => lab[Symbol.asyncDispose]());

const jobs: readonly Job[] = [
  {
    name: "answer the oldest question",
    // The tabs, their page, the card, a digit; or a press.
    before: { keyboard: 4, pointer: 1 },
    now: { keyboard: 1, pointer: 1 },
    isHalf: true,
    async prepare() {
      const decided = agent.ask("make release");
      await until("the question", async () =>
        (await read(`sessions/${lab.relay().session}/questions`)).includes("make release"),
      );
      return async () => expect(await decided).toContain("allow");
    },
    async run(steps, way) {
      const { page } = steps;
      const yes = page.getByRole("button", { name: "Yes, this once" });
      await yes.and(page.locator("[aria-disabled=false]")).waitFor();
      if (way === "keyboard") await steps.key("1");
      else await steps.click(yes);
    },
  },
  {
    name: "see today's cost by agent",
    // It had the sums of models and sessions only, behind the tab of the agents.
    before: { keyboard: 4, pointer: 1 },
    now: { keyboard: 0, pointer: 0 },
    isHalf: true,
    async run({ page }) {
      for (const [name, cost] of [
        ["claude", "$2.50"],
        ["codex", "$1.25"],
      ] as const) {
        const sum = page.getByRole("listitem").filter({ hasText: name }).getByText(cost);
        await sum.waitFor();
        expect(await isInView(sum)).toBe(true);
      }
    },
  },
  {
    name: "invite a reader and send it to a phone",
    // The link was copied: it had to be pasted into something that reaches the phone, and sent there.
    before: { keyboard: 10 + 2, pointer: 3 + 2 },
    now: { keyboard: 4, pointer: 2 },
    isHalf: true,
    async run(steps, way) {
      const { page } = steps;
      if (way === "keyboard") {
        await steps.type("invite");
        await steps.key("Enter");
        await focused(page, /^Copy/);
        await steps.key("Tab");
        await steps.key("Enter");
      } else {
        await steps.click(page.getByRole("button", { name: "Invite to default" }));
        await steps.click(page.getByRole("button", { name: "Show code" }));
      }
      await page.getByRole("img", { name: "Code of a link to default" }).waitFor();
      expect(await page.getByRole("radio", { name: "Can watch" }).getAttribute("aria-checked")).toBe("true");
    },
  },
  {
    name: "revoke a person",
    // The tab of the people, the person's button, and the question that it asks.
    before: { keyboard: 9, pointer: 3 },
    now: { keyboard: 4, pointer: 2 },
    isHalf: true,
    async prepare() {
      const guest = await lab.guest({ role: "reader", name: "Mira" });
      const isGone = async () => (await lab.users()).every(({ id }) => id !== guest.id);
      return () => until("the person to be gone", isGone).finally(() => guest.context.close());
    },
    async run(steps, way) {
      const { page } = steps;
      const remove = page.getByRole("button", { name: "Disconnect Mira" });
      await remove.waitFor();
      if (way === "keyboard") {
        await steps.type("disconnect");
        await page.getByRole("option", { name: /Disconnect Mira/ }).waitFor();
        await steps.key("Enter");
        await focused(page, /^Cancel$/);
        await steps.key("Tab");
        await steps.key("Enter");
      } else {
        await steps.click(remove);
        await steps.click(page.getByRole("dialog").getByRole("button", { name: "Disconnect" }));
      }
    },
  },
  {
    name: "change the terminal's theme",
    // Not in the panel: a session's window had to be opened, and the settings of terminals in it.
    before: { keyboard: 8, pointer: 6 },
    now: { keyboard: 3, pointer: 3 },
    async run(steps, way) {
      const { page } = steps;
      if (way === "keyboard") {
        await steps.type("theme");
        await steps.key("Enter");
        await until(
          "the focus on the chosen theme",
          async () => (await page.locator(".theme-card :checked:focus").count()) > 0,
        );
        await steps.key("ArrowDown");
      } else {
        await steps.click(page.getByRole("tab", { name: "Settings" }));
        await steps.click(page.getByRole("button", { name: "Appearance" }));
        await steps.click(page.locator(".theme-card").nth(1));
      }
      const second = page.locator(".theme-card input").nth(1);
      await until("the second theme", () => second.isChecked());
      expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain(await second.inputValue());
    },
  },
  {
    name: "raise a budget",
    // The tab of the agents, a scroll to the form below all else, the field, the amount, the button.
    before: { keyboard: 9, pointer: 5 },
    now: { keyboard: 4, pointer: 3 },
    async run(steps, way) {
      const { page } = steps;
      const amount = way === "keyboard" ? "20" : "30";
      if (way === "keyboard") {
        await steps.type("budget");
        await steps.key("Enter");
        await focused(page, /^Budget of each day/);
        await steps.type(amount);
        await steps.key("Enter");
      } else {
        await steps.click(page.getByRole("textbox", { name: /^With a budget of a day/ }));
        await steps.type(amount);
        await steps.click(page.getByRole("button", { name: "Set this budget" }));
      }
      await until("the budget", async () => (await read("budgets")).includes(`"day":${amount}`));
    },
  },
  {
    name: "find a setting by its name",
    // There was no search: one long page, by Tab from field to field, or by scrolling.
    before: { keyboard: 23, pointer: 2 },
    now: { keyboard: 2, pointer: 2 },
    async run(steps, way) {
      const { page } = steps;
      await steps.type("lines kept");
      const found = page.getByRole("option", { name: /^Lines kept/ });
      await found.waitFor();
      if (way === "keyboard") await steps.key("Enter");
      else await steps.click(found);
      await focused(page, /^Lines kept/);
      expect(await isInView(page.getByLabel(/^Lines kept/))).toBe(true);
    },
  },
];

test.each(jobs)("by keyboard alone: $name", (job) => hold(job, "keyboard"));
test.each(jobs)("by pointer alone: $name", { tags: "slow" }, (job) => hold(job, "pointer"));

async function hold({ prepare, run, before, now, isHalf = false }: Job, way: Way): Promise<void> {
  expect(now[way]).toBeLessThanOrEqual(isHalf ? Math.ceil(before[way] / 2) : before[way]);
  const done = await prepare?.();
  const { page, context } = await lab.browser({ width: 1280, height: 800 });
  onTestFinished(() => context.close());
  await page.goto(`${lab.relay().url}/panel#token=${lab.key}`);
  await page.getByRole("listitem").filter({ hasText: "codex" }).waitFor();
  const steps = new Steps(page);
  await run(steps, way);
  await done?.();
  expect(steps.count).toBe(now[way]);
}

/** What the relay answers to its owner. */
async function read(path: string): Promise<string> {
  const answer = await fetch(`${lab.relay().url}/v1/${path}`, { headers: { "X-Service-Token": lab.key } });
  return answer.text();
}

/** Waits until a control of this name has the focus. */
async function focused(page: Page, name: RegExp): Promise<void> {
  await until(`the focus on ${name}`, () =>
    page.evaluate((source) => {
      const { activeElement } = document;
      const isField = activeElement instanceof HTMLInputElement || activeElement instanceof HTMLSelectElement;
      const label = isField ? activeElement.labels?.[0]?.textContent : activeElement?.textContent;
      return new RegExp(source).test((label ?? "").trim());
    }, name.source),
  );
}

/** Whether all of it can be seen without a scroll. */
function isInView(target: Locator): Promise<boolean> {
  return target.evaluate(
    (element) =>
      new Promise<boolean>((resolve) => {
        const observer = new IntersectionObserver(([entry]) => {
          observer.disconnect();
          resolve((entry?.intersectionRatio ?? 0) > 0.95);
        });
        observer.observe(element);
      }),
  );
}
