import { describe, expect, test } from "vitest";
import { MAX_FILE_LENGTH, parseThemeFile } from "../../../../renderer/ui/import-theme.ts";
import { addThemes, builtInThemes, isDark, MAX_THEMES } from "../../../../renderer/ui/terminal-themes.ts";

const ansi = Array.from({ length: 16 }, (_, index) => `#0000${(index * 16 + index).toString(16).padStart(2, "0")}`);
const expected = {
  name: "Night Sky",
  background: "#101010",
  foreground: "#e0e0e0",
  cursor: "#ff0000",
  cursorText: "#00ff00",
  selection: "#303030",
  ansi,
};

const ghostty = [
  "# A comment",
  "",
  ...ansi.map((colour, index) => `palette = ${index}=${colour}`),
  "palette = 255=#ffffff",
  "background = 101010",
  "foreground=#E0E0E0",
  "cursor-color = f00",
  "cursor-text = #0f0",
  'selection-background = "#303030"',
  "font-family = Menlo",
].join("\r\n");

function colour(hex: string, space = "sRGB"): string {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return `<dict>
    <key>Alpha Component</key><real>1</real>
    <key>Blue Component</key><real>${channel(5)}</real>
    <key>Color Space</key><string>${space}</string>
    <key>Green Component</key><real>${channel(3)}</real>
    <key>Red Component</key><real>${channel(1)}</real>
  </dict>`;
}

function iterm(changes: Readonly<Record<string, string>> = {}): string {
  const colours: Record<string, string> = {
    ...Object.fromEntries(ansi.map((hex, index) => [`Ansi ${index} Color`, colour(hex)])),
    "Background Color": colour("#101010"),
    "Foreground Color": colour("#e0e0e0"),
    "Cursor Color": colour("#ff0000"),
    "Cursor Text Color": colour("#00ff00"),
    "Selection Color": colour("#303030"),
    "Badge Color": colour("#ffffff"),
    ...changes,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><!-- colours -->
${Object.entries(colours)
  .map(([key, value]) => `<key>${key}</key>${value}`)
  .join("\n")}
</dict></plist>\n`;
}

const names = ["black", "red", "green", "yellow", "blue", "purple", "cyan", "white"];
const scheme = {
  name: "Night Sky",
  background: "#101010",
  foreground: "#E0E0E0",
  cursorColor: "#f00",
  selectionBackground: "#303030",
  ...Object.fromEntries(names.map((name, index) => [name, ansi[index]])),
  ...Object.fromEntries(names.map((name, at) => [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, ansi[at + 8]])),
};

test.each([
  ["Ghostty", "Night Sky", ghostty, expected],
  ["Ghostty, with a byte order mark", "Night Sky.conf", `\uFEFF${ghostty}`, expected],
  ["iTerm2", "Night Sky.itermcolors", iterm(), expected],
  ["Windows Terminal", "any.json", JSON.stringify(scheme), { ...expected, cursorText: "#101010" }],
])("a theme of %s is imported", (_, file, text, palette) => {
  expect(parseThemeFile(file, text)).toEqual([palette]);
});

test("settings of Windows Terminal have many schemes", () => {
  const text = JSON.stringify({ profiles: {}, schemes: [scheme, { ...scheme, name: "Other" }] });
  expect(parseThemeFile("settings.json", text).map(({ name }) => name)).toEqual(["Night Sky", "Other"]);
});

test("colours that a theme leaves out follow from its text and background", () => {
  const short = ghostty.replace(/^(cursor|selection).*\r\n/gm, "");
  expect(parseThemeFile("x", short)[0]).toMatchObject({
    cursor: "#e0e0e0",
    cursorText: "#101010",
    selection: "#555555",
  });
});

test("colours of Display P3 become those of sRGB, within its bounds", () => {
  const [palette] = parseThemeFile(
    "x",
    iterm({ "Cursor Color": colour("#ff0000", "P3"), "Ansi 1 Color": colour("#808080", "P3") }),
  );
  expect([palette?.cursor, palette?.ansi[1]]).toEqual(["#ff0000", "#808080"]);
});

test("a name has no control characters and an end", () => {
  const text = JSON.stringify({ ...scheme, name: `a\n\u202e b${"x".repeat(100)}` });
  expect(parseThemeFile("x.json", text)[0]?.name).toBe(`a b${"x".repeat(57)}`);
  expect(parseThemeFile("\u0007.conf", ghostty)[0]?.name).toBe("Imported");
});

describe("a file is refused that", () => {
  test.each([
    ["is too large", ghostty + "#".repeat(MAX_FILE_LENGTH), "too large"],
    ["is empty", "", "no background"],
    ["is some other text", "Dear all,\nhello", "no theme that Patchbay knows"],
    ["lacks a colour", ghostty.replace(/palette = 7=.*\r\n/, ""), "no colour 7"],
    ["has a colour by name", ghostty.replace("101010", "black"), "“black” is no colour"],
    ["has a colour that is none", ghostty.replace("#0000ff", "#0000fg"), "“#0000fg” is no colour"],
    ["has a colour beyond the palette", `${ghostty}\npalette = 256=#000000`, "palette = 256=#000000"],
    ["is broken JSON", '{"name": ', "no JSON"],
    ["has a colour of another type", JSON.stringify({ ...scheme, red: 7 }), "“red” is no colour"],
    ["has too many schemes", JSON.stringify({ schemes: Array(MAX_THEMES + 1).fill(scheme) }), "no background"],
    ["is a list in JSON", '{"schemes": []}', "no background"],
    [
      "is not well formed",
      iterm()
        .replace("</plist>", "")
        .replace(/<\/dict>\s*$/, ""),
      "no property list",
    ],
    ["has an element that colours do not need", iterm({ x: "<data>AAAA</data>" }), "no property list"],
    ["declares entities", iterm().replace('.dtd">', '.dtd" [<!ENTITY a "b">]>'), "no property list"],
    [
      "has text for a number",
      iterm({ "Ansi 3 Color": "<dict><key>Red Component</key><real>x</real></dict>" }),
      "“Ansi 3 Color” has no red",
    ],
    [
      "has text for a colour",
      iterm({ "Background Color": "<string>#000000</string>" }),
      "“Background Color” has no red",
    ],
    ["has values without keys", "<plist><dict><real>1</real></dict></plist>", "no property list"],
    ["is a page", "<!DOCTYPE html><html></html>", "no property list"],
  ])("%s", (_, text, message) => {
    expect(() => parseThemeFile("x", text)).toThrow(message);
  });
});

test("the built-in themes are whole, light ones and dark ones", () => {
  for (const { name, ansi: colours, ...main } of builtInThemes) {
    expect([name, colours.length]).toEqual([name, 16]);
    for (const one of [...colours, ...Object.values(main)]) expect(one).toMatch(/^#[0-9a-f]{6}$/);
  }
  const dark = builtInThemes.filter(isDark).length;
  expect([dark >= 8, builtInThemes.length - dark >= 6]).toEqual([true, true]);
});

test("imported themes replace those of their name, leave the built-in ones alone, and have a bound", () => {
  const other = { ...expected, background: "#000000" };
  expect(addThemes([expected], [other])).toEqual([other]);
  expect(addThemes([], [{ ...expected, name: "nord" }])[0]?.name).toBe("nord (imported)");
  const many = Array.from({ length: MAX_THEMES }, (_, index) => ({ ...expected, name: `T${index}` }));
  expect(addThemes([], many)).toHaveLength(MAX_THEMES);
  expect(() => addThemes(many, [expected])).toThrow("Remove some first");
});
