import type { WebContents } from "electron";
import { RemoteError } from "../../core/protocol/errors.ts";
import type { ChannelHandlers } from "./ipc.ts";
import type { PanelWindow } from "./panel-window.ts";
import type { TrayActions } from "./tray-menu.ts";

type PanelHandlers = Pick<ChannelHandlers, Extract<keyof ChannelHandlers, `panel.${string}`>>;

/** What the panel's page may ask for: the same as the tray's menu. */
export function panelChannels(panel: PanelWindow, act: TrayActions): PanelHandlers {
  const onlyPanel = (caller: WebContents) => {
    if (!panel.owns(caller)) throw new RemoteError("scope_forbids", "Only the panel may ask for this.");
  };
  return {
    "panel.start": (caller) => {
      onlyPanel(caller);
      panel.start();
    },
    "panel.open": (caller, { id }) => {
      onlyPanel(caller);
      act.open(id);
    },
    "panel.copyId": (caller, { id }) => {
      onlyPanel(caller);
      act.copyId(id);
    },
    "panel.quit": (caller) => {
      onlyPanel(caller);
      act.quit();
    },
  };
}
