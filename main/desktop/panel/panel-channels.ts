import { writeFile } from "node:fs/promises";
import { clipboard, dialog, shell, type WebContents } from "electron";
import { createLink } from "../../../core/operations/create-link.ts";
import { onlyReads, procedureOf } from "../../../core/procedures/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { PanelContent, SettingsTarget } from "../../../preload/channels.ts";
import { type ChannelHandlers, sendToPage } from "../ipc/ipc.ts";
import type { DesktopSessions } from "../sessions/desktop-sessions.ts";
import type { RelayDesk } from "../sessions/relay-for-desktop.ts";
import type { UsageWatch } from "../sessions/usage-watch.ts";
import type { TrayActions } from "../tray/tray-menu.ts";
import type { MachineWindows } from "../windows/machine-windows.ts";
import type { SessionWindows } from "../windows/session-windows.ts";
import { words } from "../words.ts";
import { curlLine } from "./panel-content.ts";
import type { SecretClipboard } from "./secret-clipboard.ts";

type PanelHandlers = Pick<ChannelHandlers, Extract<keyof ChannelHandlers, `panel.${string}`>>;

/** A window with a page of the panel. */
interface PanelPage {
  owns(contents: WebContents): boolean;
  /** Called when the page is ready. */
  start(): void;
  hide(): void;
}

interface Parts {
  /** The panel, and the window of the settings. */
  readonly pages: readonly PanelPage[];
  /** Windows of sessions, which show the panel in a drawer. */
  readonly windows: Pick<SessionWindows, "localSessionOf" | "showDrawer">;
  /** The panel's content. */
  readonly content: () => PanelContent;
  readonly act: TrayActions;
  readonly relay: RelayDesk;
  readonly sessions: DesktopSessions;
  readonly usage: UsageWatch;
  readonly secrets: SecretClipboard;
  /** Windows of sessions of other machines. */
  readonly machineWindows: MachineWindows;
  /** The data folder. */
  readonly data: string;
  /** The file with the licences. */
  readonly licences: string;
  readonly showSettings: (target: SettingsTarget) => void;
  /** Restarts the app and keeps its shells. */
  readonly restart: () => void;
  /** Mutes or unmutes notifications about a shell. */
  readonly mute: (session: SessionId, shell: ShellId, muted: boolean) => void;
  /** Called after a change that no client reports. */
  readonly changed: () => void;
}

/**
 * The handlers for calls of the panel: by its own page, and by the drawer in the window of a session of this machine, whose
 * page acts as the owner in its shells too. A window of another machine's session has no drawer.
 */
export function panelChannels(parts: Parts): PanelHandlers {
  return onlyForPanel(parts, {
    ...procedureHandlers(parts),
    ...sessionHandlers(parts),
    ...costHandlers(parts),
    ...settingHandlers(parts),
    "panel.openMachine": (_caller, session) => parts.machineWindows.open(session),
    "panel.start": (caller) => {
      const page = pageOf(parts.pages, caller);
      if (page !== undefined) return page.start();
      parts.windows.showDrawer(caller, true);
      sendToPage(caller, "panel.changed", parts.content());
    },
    "panel.hide": (caller) => {
      const page = pageOf(parts.pages, caller);
      if (page === undefined) parts.windows.showDrawer(caller, false);
      else page.hide();
    },
  });
}

function pageOf(pages: readonly PanelPage[], caller: WebContents): PanelPage | undefined {
  return pages.find((page) => page.owns(caller));
}

type Handlers<Names extends keyof PanelHandlers> = Pick<PanelHandlers, Names>;

/** Procedures of the relay that are declared for the panel. */
function procedureHandlers({ relay, sessions, usage, changed }: Parts): Handlers<"panel.run"> {
  const clientIn = (id: SessionId | undefined) => {
    const session = id === undefined ? undefined : sessions.find(id);
    if (session === undefined) throw new RemoteError("unknown_session", "This session was closed meanwhile.");
    return session.client.self?.id;
  };
  return {
    "panel.run": async (_caller, { operation, params, session }) => {
      const procedure = procedureOf(operation);
      if (procedure?.spec.panel !== true) {
        throw new RemoteError("scope_forbids", `${operation} is not for the panel.`);
      }
      const client = procedure.kind === "command" ? clientIn(session) : undefined;
      // The relay checks the parameters by their declaration.
      const result = await relay.call(operation, params, { session, client });
      if (operation === "setBudgets" || operation === "setSetting") usage.look();
      // What only reads, such as a search as the user types, changes nothing on show.
      if (!onlyReads(procedure)) changed();
      return result;
    },
  };
}

function sessionHandlers({ act, relay }: Parts) {
  return {
    "panel.open": (_caller, { id, shell: wanted, place }) => act.open(id, wanted, place),
    "panel.copy": (_caller, { id, what }) =>
      clipboard.writeText(what === "id" ? id : curlLine({ address: relay.url }, id)),
    "panel.quit": () => act.quit(),
    "panel.invite": async (_caller, { copy, ...wanted }) => {
      const link = await createLink(relay.run, wanted);
      if (copy) clipboard.writeText(link.url);
      // The page draws it as a code.
      return { ...link, copied: copy };
    },
  } satisfies Partial<PanelHandlers>;
}

function costHandlers({ usage }: Parts): Handlers<"panel.usage" | "panel.save"> {
  return {
    "panel.usage": (_caller, { days }) => usage.slices(days),
    "panel.save": async (_caller, { name, text }) => {
      const { filePath } = await dialog.showSaveDialog({
        title: words.dialogs.exportTable,
        defaultPath: name,
        filters: [{ name: words.dialogs.csv, extensions: ["csv"] }],
      });
      if (!filePath) return undefined;
      await writeFile(filePath, text);
      return { file: filePath };
    },
  };
}

function settingHandlers(parts: Parts) {
  const { showSettings, secrets, data, licences, act, restart, mute, changed } = parts;
  return {
    "panel.copySecret": (_caller, { secret }) => secrets.copy(secret),
    "panel.chooseCredentials": async () => {
      const { filePaths } = await dialog.showOpenDialog({
        title: words.dialogs.chooseCredentials,
        properties: ["openFile", "showHiddenFiles"],
        filters: [
          { name: words.dialogs.credentials, extensions: ["creds"] },
          { name: words.dialogs.allFiles, extensions: ["*"] },
        ],
      });
      const [file] = filePaths;
      return file === undefined ? undefined : { file };
    },
    "panel.restart": () => restart(),
    "panel.mute": (_caller, { id, shell, muted }) => {
      mute(id, shell, muted);
      changed();
    },
    "panel.pause": (_caller, { paused }) => act.pause(paused),
    "panel.showSettings": (_caller, target) => showSettings(target),
    "panel.showData": () => openPath(data, "folder"),
    "panel.showLicences": () => openPath(licences, "file"),
  } satisfies Partial<PanelHandlers>;
}

async function openPath(path: string, what: "folder" | "file"): Promise<void> {
  const problem = await shell.openPath(path);
  if (problem !== "") throw new RemoteError("internal", `The ${what} could not be opened: ${problem}`);
}

function onlyForPanel({ pages, windows }: Parts, handlers: PanelHandlers): PanelHandlers {
  const guarded = Object.entries(handlers).map(([name, handle]) => [
    name,
    (caller: WebContents, args: never) => {
      if (pageOf(pages, caller) === undefined && windows.localSessionOf(caller) === undefined) {
        throw new RemoteError("scope_forbids", "Only the panel may ask for this.");
      }
      return (handle as (caller: WebContents, args: never) => unknown)(caller, args);
    },
  ]);
  return Object.fromEntries(guarded) as PanelHandlers;
}
