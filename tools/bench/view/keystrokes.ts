import type { Page } from "playwright-core";
import type { BenchRow } from "../bench-row.ts";
import { compared } from "../support/rows.ts";
import type { ViewLab } from "./lab.ts";

const ROUNDS = 6;
const KEYS = 60;
/** The flooding shell counts as still after this time without output. */
const QUIET_MS = 500;

/** Measures the time from a key press until its echo is drawn, in the view and in a bare page, in turns. */
export async function keystrokeRows(lab: ViewLab): Promise<BenchRow[]> {
  const bare = await lab.openBare();
  const times = { own: [] as number[], bare: [] as number[] };
  for (const page of [lab.page, bare]) await page.keyboard.type("stty -icanon; cat > /dev/null\n");
  for (let round = 0; round < ROUNDS; round++) {
    times.bare.push(...(await pressKeys(bare)));
    times.own.push(...(await pressKeys(lab.page)));
  }
  await bare.context().close();
  await lab.page.keyboard.press("Control+C");
  await lab.page.keyboard.type("stty icanon; clear\n");
  const [own, base] = [median(times.own), median(times.bare)];
  const ratio = own / base;
  return [
    { name: "key to echo drawn: bare xterm.js and node-pty", value: rounded(base), unit: "ms" },
    { name: "key to echo drawn: Patchbay", value: rounded(own), unit: "ms" },
    { name: "key to echo drawn: ratio", value: rounded(ratio), unit: "", goal: "within 1.5", ok: ratio <= 1.5 },
  ];
}

/** Measures the same while another tile shows a flood of output, as a multiple of the time while that tile is still. */
export async function floodRows({ page, relay }: ViewLab): Promise<BenchRow[]> {
  const { shellId } = await relay.call("createShell", {});
  const write = (data: string) => relay.call("writeToShell", { id: shellId, data });
  const times = { idle: [] as number[], flooded: [] as number[] };
  await page.locator(".xterm").first().click();
  await page.keyboard.type("stty -icanon; cat > /dev/null\n");
  for (let round = 0; round < ROUNDS; round++) {
    times.idle.push(...(await pressKeys(page)));
    await write("yes 'another tile prints this as fast as it can'\n");
    times.flooded.push(...(await pressKeys(page)));
    await relay.call("sendKeys", { id: shellId, keys: ["C-c"] });
    await relay.call("waitFor", { id: shellId, idle: QUIET_MS });
  }
  await page.keyboard.press("Control+C");
  await page.keyboard.type("stty icanon; clear\n");
  await relay.call("closeShell", { id: shellId });
  const idle = { name: "that tile is still", value: median(times.idle) };
  return [compared("key to echo drawn while another tile floods", median(times.flooded), "ms", idle, { within: 2 })];
}

/** Returns the milliseconds from each key's event to the frame that shows its echo, measured in the page. */
async function pressKeys(page: Page): Promise<number[]> {
  await page.bringToFront();
  await page.locator(".xterm").first().click();
  const times: number[] = [];
  for (let turn = 0; turn < KEYS; turn++) {
    const drawn = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const rows = document.querySelector(".xterm-rows");
          if (rows === null) throw new Error("no terminal");
          let pressedAt = Number.NaN;
          window.addEventListener("keydown", ({ timeStamp }) => (pressedAt = timeStamp), { capture: true, once: true });
          const text = rows.textContent;
          const observer = new MutationObserver(() => {
            if (Number.isNaN(pressedAt) || rows.textContent === text) return;
            observer.disconnect();
            resolve(performance.now() - pressedAt);
          });
          observer.observe(rows, { subtree: true, childList: true, characterData: true });
        }),
    );
    // The observer is installed when this round trip ends.
    await page.evaluate(() => undefined);
    await page.keyboard.press("x");
    times.push(await drawn);
  }
  return times;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
