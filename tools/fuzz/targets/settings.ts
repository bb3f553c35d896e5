import { DesktopSettings } from "../../../core/protocol/desktop-settings.ts";

export const seeds = [Buffer.from('{"theme":"dark","shortcuts":{"grid":"Ctrl+Alt+G"},"launchAtLogin":true}')];

/** The settings file of the app: it is read, or the defaults stand in. */
export function fuzz(data: Buffer): void {
  try {
    DesktopSettings.safeParse(JSON.parse(data.toString("utf8")));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
}
