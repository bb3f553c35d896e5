import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("../../../../renderer/ui/tokens.css", import.meta.url), "utf8");
const themes = ["light", "dark"] as const;

/** Text at 4.5:1 (WCAG 2.2 AA), what is only a shape at 3:1. */
const text = ["text", "muted", "faint", "wait", "good", "bad", "info"];
const grounds = ["bg", "surface", "raised", "terminal"];
const ansi = ["red", "green", "yellow", "blue", "magenta", "cyan"].flatMap((name) => [
  `ansi-${name}`,
  `ansi-bright-${name}`,
]);

describe.each(themes)("the %s theme", (theme) => {
  test.each(text.flatMap((front) => grounds.map((ground) => [front, ground] as const)))(
    "%s is readable on %s",
    (front, ground) => {
      expect(contrast(token(front, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each<[front: string, ground: string]>([
    ["wait", "wait-soft"],
    ["bad", "wait-soft"],
    ["muted", "wait-soft"],
    ["text", "bad-soft"],
    ["text", "hover"],
    ["muted", "hover"],
    ["text", "selection"],
    ["bg", "text"],
    ["on-strong", "bad-strong"],
    ...[0, 1, 2, 3, 4, 5].map((hue) => ["on-strong", `person-${hue}`] satisfies [string, string]),
    ...ansi.map((colour) => [colour, "terminal"] satisfies [string, string]),
  ])("%s is readable on %s", (front, ground) => {
    expect(contrast(token(front, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(ansi.filter((colour) => !colour.includes("bright")))("%s as a background is no pastel", (colour) => {
    expect(contrast(token("on-strong", theme), token(colour, theme))).toBeGreaterThanOrEqual(3);
  });

  test.each(grounds)("the focus ring stands out from %s", (ground) => {
    expect(contrast(token("focus", theme), token(ground, theme))).toBeGreaterThanOrEqual(3);
  });
});

function token(name: string, theme: (typeof themes)[number]): string {
  const value = new RegExp(`--${name}: (?:light-dark\\((#\\w{6}), (#\\w{6})\\)|(#\\w{6}));`).exec(css);
  const colour = value?.[3] ?? value?.[theme === "light" ? 1 : 2];
  if (colour === undefined) throw new Error(`tokens.css has no colour --${name}`);
  return colour;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
