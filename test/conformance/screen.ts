import type { Page } from "playwright-core";

/** A row of a screen as one text, with the attributes of a run in braces before it and the cursor's cell as a run of its own. */
export type Row = string;

/** Reads the rows that the DOM renderer of xterm.js draws. Spacing of letters and colours of the theme are left out. */
export function readRows(page: Page): Promise<Row[]> {
  return page.evaluate(() => {
    const attribute = /^xterm-(bold|dim|italic|underline-\d|overline|strikethrough|cursor|[fb]g-\d+)$/;
    const runsOf = (row: Element) => {
      const runs: { attributes: string; text: string }[] = [];
      for (const span of row.children) {
        const named = [...span.classList].flatMap((name) => attribute.exec(name)?.[1] ?? []);
        // Colours that are not of the palette.
        const { color, backgroundColor } =
          span instanceof HTMLElement ? span.style : { color: "", backgroundColor: "" };
        const attributes = [...named.sort(), color, backgroundColor && `on ${backgroundColor}`]
          .filter(Boolean)
          .join(" ");
        const text = (span.textContent ?? "").replaceAll("\u00a0", " ");
        const last = runs.at(-1);
        if (last?.attributes === attributes) last.text += text;
        else runs.push({ attributes, text });
      }
      return runs;
    };
    return [...document.querySelectorAll(".xterm-rows > div")].map((row) => {
      const text = runsOf(row).map((run) => (run.attributes === "" ? run.text : `{${run.attributes}}${run.text}{}`));
      return text.join("").trimEnd();
    });
  });
}
