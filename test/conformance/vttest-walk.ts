import { setTimeout as delay } from "node:timers/promises";
import type { Row } from "./screen.ts";
import type { Sides } from "./sides.ts";

/** A page that the two terminals show differently: the rows that differ. */
export interface Difference {
  readonly page: string;
  readonly rows: readonly { readonly row: number; readonly alone: Row; readonly own: Row }[];
}

/** What a walk through an item of a menu has shown. */
export interface Walked {
  pages: number;
  readonly differences: Difference[];
}

interface Screens {
  readonly alone: readonly Row[];
  readonly own: readonly Row[];
}

interface Menu {
  readonly heading: string;
  readonly items: readonly { readonly number: string; readonly title: string }[];
}

/** The program waits behind one of these texts, where the cursor is then. */
const PROMPT = /(Push <RETURN>|Push the RETURN key:|Enter choice number \(0 - \d+\):)\s*$/;
const SCREEN_PROMPT = /Finish this test with RETURN/;
const CURSOR = /\{[^{}]*\bcursor\b[^{}]*\}/;
const MENU_PROMPT = /Enter choice number \(0 - \d+\):/;
const POLL_MS = 50;
/**
 * Screens without a change for this time are final, although no prompt is known: a key changed nothing, or the program
 * waits for an answer that both terminals do not give, where any key goes on.
 */
const FINAL_MS = 3_000;
/** Screens that differ are final after this time without a change. */
const DIFFERENT_MS = 10_000;
const PATIENCE_MS = 60_000;

/** Goes through the pages of vttest in both terminals with the same keys, and compares them. */
export class VttestWalk {
  readonly #sides: Sides;
  readonly #skip: RegExp;
  readonly #visited = new Set<string>();

  /** @param skip titles of menu items to leave out */
  constructor(sides: Sides, skip: RegExp) {
    this.#sides = sides;
    this.#skip = skip;
  }

  /** Types a line into both terminals and returns their screens when both wait for the next key. */
  async press(line: string, where: string): Promise<Screens> {
    const { alone, own } = this.#sides;
    const before = await this.#screens();
    await Promise.all([alone, own].map((side) => side.type(`${line}\n`)));
    return this.#settled(before, where);
  }

  /** Opens an item of the menu that is on show, goes through everything in it, and returns to that menu. */
  async item(number: string, where: string, parent: Screens): Promise<Walked> {
    const walked: Walked = { pages: 0, differences: [] };
    await this.#visit(number, where, [menuOf(parent.alone)?.heading ?? ""], walked);
    return walked;
  }

  /** Chooses an item and goes through its pages. Returns the menu that is on show then: `path[0]`, or one of those above it. */
  async #visit(number: string, where: string, path: readonly string[], walked: Walked): Promise<string> {
    let screens = await this.press(number, where);
    for (;;) {
      const menu = menuOf(screens.alone);
      if (menu !== undefined && path.includes(menu.heading)) return menu.heading;
      this.#compare(screens, where, walked);
      if (menu !== undefined) {
        const shown = await this.#visitItems(menu, where, [menu.heading, ...path], walked);
        if (shown !== menu.heading) return shown;
      }
      screens = await this.press(menu === undefined ? "" : "0", where);
    }
  }

  async #visitItems({ heading, items }: Menu, where: string, path: readonly string[], walked: Walked): Promise<string> {
    // The menus of later terminals repeat those of earlier ones.
    const name = heading.replace(/^.*Menu [\d.]+: /, "");
    if (this.#visited.has(name)) return heading;
    this.#visited.add(name);
    for (const { number, title } of items) {
      if (this.#skip.test(title)) continue;
      const shown = await this.#visit(number, `${where} > ${title}`, path, walked);
      // Items that choose a value return to the menu above.
      if (shown !== heading) return shown;
    }
    return heading;
  }

  #compare({ alone, own }: Screens, where: string, walked: Walked): void {
    walked.pages++;
    const rows = Array.from({ length: Math.max(alone.length, own.length) }, (_, row) => row)
      .map((row) => ({ row, alone: alone[row] ?? "", own: own[row] ?? "" }))
      .filter((both) => both.alone !== both.own);
    if (rows.length > 0) walked.differences.push({ page: `${where}, page ${walked.pages}`, rows });
  }

  async #screens(): Promise<Screens> {
    const [alone, own] = await Promise.all([this.#sides.alone.screen(), this.#sides.own.screen()]);
    return { alone, own };
  }

  async #settled(before: Screens, where: string): Promise<Screens> {
    const start = performance.now();
    let last = before;
    let lastChange = start;
    for (;;) {
      await delay(POLL_MS);
      const now = await this.#screens();
      const time = performance.now();
      const still = equal(now.alone, last.alone) && equal(now.own, last.own);
      if (!still) [last, lastChange] = [now, time];
      const waits = showsPrompt(now.alone) && showsPrompt(now.own);
      const changed = !equal(now.alone, before.alone) && !equal(now.own, before.own);
      const same = equal(now.alone, now.own);
      if (still && waits && changed && same) return now;
      if (still && time - lastChange > (same ? FINAL_MS : DIFFERENT_MS)) return now;
      if (time - start > PATIENCE_MS)
        throw new Error(`${where}: it prints on; the screens are ${JSON.stringify(now, null, 1)}`);
    }
  }
}

/** Returns the menu that a screen shows. */
function menuOf(screen: readonly Row[]): Menu | undefined {
  const rows = screen.map(plain);
  if (!rows.some((row) => MENU_PROMPT.test(row))) return undefined;
  const items = rows.flatMap((row) => {
    const [, number, title] = /^\s+(\d+)\. (.*)$/.exec(row) ?? [];
    return number === undefined || title === undefined || number === "0" ? [] : [{ number, title }];
  });
  return { heading: rows.find((row) => row.trim() !== "") ?? "", items };
}

/** Whether the cursor is behind a prompt, or somewhere on a page that any key ends. */
function showsPrompt(screen: readonly Row[]): boolean {
  return (
    screen.some((row) => {
      const [before, cursor] = row.split(CURSOR);
      return cursor !== undefined && PROMPT.test(plain(before ?? ""));
    }) || screen.some((row) => SCREEN_PROMPT.test(row))
  );
}

function plain(row: Row): string {
  return row.replaceAll(/\{[^{}]*\}/g, "").trimEnd();
}

function equal(one: readonly Row[], other: readonly Row[]): boolean {
  return one.length === other.length && one.every((row, index) => row === other[index]);
}
