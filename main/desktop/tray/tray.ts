import path from "node:path";
import { Menu, nativeImage, nativeTheme, Tray } from "electron";
import { Undo } from "../../../core/undo.ts";
import { type SessionSummary, statusLine } from "../sessions/session-summary.ts";
import { lookOf, requestsBeside, type TrayActions, type TrayLook, type TrayState, trayMenu } from "./tray-menu.ts";

export interface AppTray extends Disposable {
  show(sessions: readonly SessionSummary[], state: TrayState): void;
  bounds(): { x: number; y: number; width: number; height: number };
  /** Adds the icon again, after a tray has appeared. */
  renew(): void;
}

interface Options {
  /** Folder with the pictures that tools/pictures/icons.mjs draws. */
  readonly icons: string;
  readonly act: TrayActions;
}

/** The icon in the tray, with its menu; a click shows the panel. */
export function createTray({ icons, act }: Options): AppTray {
  const undo = new Undo();
  let shown: readonly SessionSummary[] = [];
  let state: TrayState = { costToday: "$0.00", paused: false, logins: [], remoteQuestions: 0, trouble: undefined };
  const picture = () => trayPicture(icons, lookOf(shown, state));
  const place = () => {
    const placed = new Tray(picture());
    placed.on("click", act.showPanel);
    return placed;
  };
  let tray = place();
  undo.add(() => tray.destroy());
  const redraw = () => tray.setImage(picture());
  nativeTheme.on("updated", redraw);
  undo.add(() => nativeTheme.off("updated", redraw));
  let drawn = "";
  const draw = () => {
    const entries = trayMenu(shown, state, act);
    const tip = statusLine(shown, requestsBeside(state));
    const targets = shown.map(({ id, waitingAgents }) => [id, waitingAgents]);
    const next = JSON.stringify([entries, tip, lookOf(shown, state), targets]);
    // Setting any of it replaces the menu, which closes an open one and loses a click: not when a guest joins.
    if (next === drawn) return;
    drawn = next;
    redraw();
    tray.setToolTip(tip);
    tray.setContextMenu(Menu.buildFromTemplate(entries));
  };
  draw();
  return {
    show(sessions, next) {
      shown = sessions;
      state = next;
      draw();
    },
    bounds: () => tray.getBounds(),
    renew() {
      tray.destroy();
      tray = place();
      drawn = "";
      draw();
    },
    [Symbol.dispose]: () => undo.dispose(),
  };
}

/** Electron takes the @2x file beside it where the screen wants it; macOS colours a template picture by itself. */
function trayPicture(icons: string, look: TrayLook): Electron.NativeImage {
  const tone = nativeTheme.shouldUseDarkColors ? "dark" : "light";
  if (process.platform === "darwin" && (look === "idle" || look === "working")) {
    const file = look === "idle" ? "trayTemplate.png" : "trayWorkingTemplate.png";
    return nativeImage.createFromPath(path.join(icons, file));
  }
  return nativeImage.createFromPath(path.join(icons, `tray-${look}-${tone}.png`));
}
