/**
 * Draws every icon of the app from resources/mark.svg into resources/icons and tools/package/icons. Run it by hand after changing the mark
 * (`node tools/pictures/icons.mjs`) and commit what it draws; it needs a Chromium (PATCHBAY_CHROMIUM, else /usr/bin/chromium).
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const resources = fileURLToPath(new URL("../../resources/", import.meta.url));
const TRAY_SIZE = 22;
const MAC_TRAY_SIZE = 18;
/** The jack that gives way to the badge, as it stands in the mark. */
const JACK = '<circle cx="15" cy="5" r="2.4" opacity="0.6" />';

/** Colours after renderer/ui/tokens.css; `dark` and `light` name the panel that the icon lies on. */
const inks = { dark: "#e6e8ea", light: "#1d2023", template: "#000000", amber: "#f0a24a" };
const waits = { dark: "#f0a24a", light: "#a85a0a" };
const bads = { dark: "#ef6b6b", light: "#b93030" };
const plate = "#15181b";

/** @typedef {{ file: string, size: number, scale: number, ink: string, badge?: string, cross?: string, busy?: boolean, plate?: string, maskable?: boolean }} Icon */

/** @type {Icon[]} */
const icons = [1, 2].flatMap((scale) => {
  const suffix = scale === 1 ? "" : `@${scale}x`;
  const tones = /** @type {const} */ (["dark", "light"]).flatMap((tone) => [
    { file: `tray-idle-${tone}${suffix}.png`, size: TRAY_SIZE, scale, ink: inks[tone] },
    { file: `tray-working-${tone}${suffix}.png`, size: TRAY_SIZE, scale, ink: inks[tone], busy: true },
    { file: `tray-waiting-${tone}${suffix}.png`, size: TRAY_SIZE, scale, ink: inks[tone], badge: waits[tone] },
    { file: `tray-trouble-${tone}${suffix}.png`, size: TRAY_SIZE, scale, ink: inks[tone], cross: bads[tone] },
  ]);
  const template = { size: MAC_TRAY_SIZE, scale, ink: inks.template };
  return [
    ...tones,
    { file: `trayTemplate${suffix}.png`, ...template },
    { file: `trayWorkingTemplate${suffix}.png`, ...template, busy: true },
  ];
});
for (const size of [32, 128, 512]) {
  icons.push({ file: `app-${size}.png`, size, scale: 1, ink: inks.amber, plate });
}
// What packages install, one for each size that desktops ask for.
for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
  icons.push({ file: `../../tools/package/icons/${size}x${size}.png`, size, scale: 1, ink: inks.amber, plate });
}
icons.push({ file: "app.png", size: 512, scale: 1, ink: inks.amber, plate });
icons.push({ file: "maskable-512.png", size: 512, scale: 1, ink: inks.amber, plate, maskable: true });

const mark = await readFile(path.join(resources, "mark.svg"), "utf8");
for (const folder of ["icons", "../package/icons"]) await mkdir(path.join(resources, folder), { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.PATCHBAY_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  for (const icon of icons) {
    await writeFile(path.join(resources, "icons", icon.file), await draw(icon));
  }
} finally {
  await browser.close();
}

/** @param {Icon} icon */
async function draw({ size, scale, ink, badge, cross, busy, plate: ground, maskable }) {
  const page = await browser.newPage({ viewport: { width: size, height: size }, deviceScaleFactor: scale });
  // Phones cut a maskable icon to a shape of theirs, which keeps at least a circle of 80 % of its width.
  const width = maskable ? "52%" : ground ? "76%" : "100%";
  const picture = mark
    .replace("<svg ", `<svg width="${width}" height="${width}" `)
    .replace("currentColor", ink)
    // An agent at work is a plug in that jack, without a colour: colour is for what waits.
    .replace(JACK, (jack) => (busy ? `<circle cx="15" cy="5" r="3.4" fill="${ink}" stroke="none" />` : jack))
    // What waits takes the place of one jack, so that it can be seen at 16 px.
    .replace(JACK, (jack) =>
      badge === undefined ? jack : `<circle cx="15" cy="5" r="4.4" fill="${badge}" stroke="none" />`,
    );
  // A cross, so that trouble differs from waiting by its shape too.
  const struck = picture.replace(JACK, (jack) =>
    cross === undefined
      ? jack
      : `<path d="M11.8 1.8 18.2 8.2 M18.2 1.8 11.8 8.2" stroke="${cross}" stroke-width="2.6" />`,
  );
  await page.setContent(`<style>
    body { margin: 0; height: 100vh; display: grid; place-items: center; background: ${ground ?? "transparent"};
      border-radius: ${ground && !maskable ? "22%" : "0"}; overflow: hidden }
    html { background: transparent }
  </style>${struck}`);
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
}
