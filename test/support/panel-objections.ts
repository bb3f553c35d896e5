import type { Page } from "playwright-core";
import type { TestApp } from "./app.ts";
import { axeOn } from "./axe.ts";

/** The rules of accessibility that a panel breaks, each with the elements that break it. */
export async function objections(panel: Page): Promise<unknown[]> {
  const { violations } = await axeOn(panel).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

/** The same in the light and in the dark theme, which the panel keeps. */
export async function objectionsInThemes(app: TestApp, panel: Page): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const theme of ["light", "dark"] as const) {
    await app.electron.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    found.push(...(await objections(panel)).map((objection) => [theme, objection]));
  }
  return found;
}
