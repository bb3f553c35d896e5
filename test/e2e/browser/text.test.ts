import headless from "@xterm/headless";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { type Guest, shows, startWebLab, textOf, type WebLab } from "./web-lab.ts";

const COLS = 200;
const ROWS = 60;
/** Of the 13 px font, in CSS pixels. */
const CELL_WIDTH = 8;

test("wide characters, emoji and combining marks stand where the next column is, on the page and in the relay", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  // Each takes six columns.
  const rows = ["日本語|", "🚀🎉 x|", "cafe\u0301  |", "👨‍👩‍👧‍👦🇩🇪👍🏽|", "❤️1️⃣🏳️‍🌈|", "🫠 a\u200fb\u200bc|"];
  await lab.command("writeToShell", { id: shellId, data: `PS1=; clear; printf '${rows.join("\\n")}\\n'\n` }, id);
  await shows(page, rows.at(-1) ?? "");
  const { output } = await lab.command<{ output: string }>("getShellOutput", { id: shellId, screen: true });
  expect(output.split("\n")).toEqual(rows);
  const ends = await page.locator(".xterm-rows > div").evaluateAll(
    (lines, wanted) =>
      wanted.map((text) => {
        const line = lines.find(({ textContent }) => textContent?.startsWith(text));
        const range = document.createRange();
        const walker = line === undefined ? undefined : document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker?.nextNode(); node; node = walker?.nextNode()) {
          const at = node.textContent?.indexOf("|") ?? -1;
          if (at === -1) continue;
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          return Math.round(range.getBoundingClientRect().left);
        }
        return -1;
      }),
    rows,
  );
  expect(ends[0]).toBeGreaterThan(0);
  for (const end of ends) expect(Math.abs(end - (ends[0] ?? 0))).toBeLessThanOrEqual(1);
});

test("vim at 200x60 is drawn as a reference terminal draws it, and as the relay's own has it", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const guest = await lab.guest({ width: 1720, height: 1200 });
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, guest.id);
  await fitTo(lab, guest);
  const keys =
    "vim -u NONE -N +'set number laststatus=2' +'call setline(1, map(range(1, 300), {_, n -> repeat(n, 70)}))' +120 +vsplit\n";
  await lab.command("writeToShell", { id: shellId, data: keys }, guest.id);
  await shows(guest.page, "[No Name]");
  await until("the same screen", async () => {
    const { output } = await lab.command<{ output: string }>("getShellOutput", { id: shellId, screen: true });
    const drawn = await guest.page.locator(".xterm-rows > div").allTextContents();
    const { output: raw } = await lab.command<{ output: string }>("getShellOutput", { id: shellId });
    const wanted = linesOf(await referenceScreen(raw)).join("\n");
    return (
      drawn.length === ROWS &&
      linesOf(drawn.join("\n")).join("\n") === wanted &&
      linesOf(output).join("\n") === wanted &&
      output.includes("120120")
    );
  });
});

test("10 MB of output leave typing responsive", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const busy = await lab.command<{ shellId: number }>("createShell", {}, id);
  await lab.command("createShell", {}, id);
  await page.locator(".tile:visible").nth(1).waitFor();
  await page.locator(".tile[data-focused] .xterm").click();
  await page.keyboard.type("PS1='> '; echo ready-$((1+1))\n");
  await shows(page, "ready-2");
  await lab.command("writeToShell", { id: busy.shellId, data: "seq 1 1500000; echo flood-$((1+1))-over\n" }, id);
  for (let turn = 0; turn < 3; turn++) {
    await page.keyboard.type(`key${turn}`);
    await shows(page, `key${turn}`);
  }
  // The window of the busy shell is half a megabyte: more than that never waits in front of an echo.
  expect(await textOf(page)).not.toContain("flood-2-over");
  await shows(page, "flood-2-over", 60_000);
});

/** What a terminal of its own shows that was given everything which the shell has printed. */
async function referenceScreen(output: string): Promise<string> {
  const terminal = new headless.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: ROWS },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
  );
  terminal.dispose();
  return lines.join("\n");
}

/** Sizes the page so that its one terminal has 200 columns and 60 rows. */
async function fitTo(lab: WebLab, { page, id }: Guest): Promise<void> {
  const sized = async (isReached: (cols: number, rows: number) => boolean) => {
    const [shell] = await lab.command<{ cols: number; rows: number }[]>("getShells", {}, id);
    const screen = await page.locator(".xterm-screen").boundingBox();
    const drawn = await page.locator(".xterm-rows > div").count();
    if (shell === undefined || screen === null || shell.rows !== drawn || !isReached(shell.cols, shell.rows)) return;
    // The page takes its new size before the shell does. A cell is 8 px wide.
    return Math.round(screen.width) === shell.cols * CELL_WIDTH ? { ...shell, height: screen.height } : undefined;
  };
  await page.locator(".xterm-screen").waitFor();
  const { cols, rows, height } = await until("the shell's first size", () => sized(() => true));
  if (cols === COLS && rows === ROWS) return;
  const now = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({
    width: now.width + (COLS - cols) * CELL_WIDTH,
    height: Math.round(now.height + ((ROWS - rows) * height) / rows),
  });
  await until("a shell of 200x60", () => sized((wide, high) => wide === COLS && high === ROWS));
}

function linesOf(screen: string): string[] {
  return screen
    .trimEnd()
    .split("\n")
    .map((line) => line.replaceAll("\u00a0", " ").trimEnd());
}
