import { readFileSync } from "node:fs";
import path from "node:path";
import type { MessageBoxOptions, MessageBoxReturnValue } from "electron";
import { z } from "zod";
import { errorText } from "../../../core/protocol/error-text.ts";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import type { Notice } from "../sessions/notices.ts";
import { words } from "../words.ts";

/** The part of electron-updater's updater that is used here. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  setFeedURL(options: { provider: "generic"; url: string; channel: string }): void;
  /** Null when this kind of package cannot replace itself. */
  checkForUpdates(): Promise<{ isUpdateAvailable: boolean; updateInfo: UpdateInfo } | null>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(): void;
}

interface UpdateInfo {
  readonly version: string;
  readonly releaseNotes?: string | readonly { readonly version: string; readonly note: string | null }[] | null;
}

interface UpdatesOptions {
  /** Data folder; without `updates.json` in it no update server is ever contacted. */
  readonly data: string;
  /** Loads electron-updater, whose checks cover the sums in the feed and, on macOS and Windows, the signature. */
  readonly load: () => Promise<Updater>;
  readonly ask: (question: MessageBoxOptions) => Promise<MessageBoxReturnValue>;
  /** Shows a notification. */
  readonly tell: (notice: Notice) => void;
  /** Lets the shells outlive the app. */
  readonly keepShells: () => void;
  readonly log: (line: string) => void;
}

const Feed = z.object({
  url: z.url({ protocol: /^https$/, error: "url: expected an https address" }),
  channel: z.string().min(1).default("latest"),
});

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Checks for a newer version at the start and once a day, when the user has set a feed in `updates.json`. Nothing is
 * downloaded or installed without consent. The feed decides which share of users is offered a version
 * (`stagingPercentage`).
 */
export function watchUpdates(options: UpdatesOptions): Disposable {
  const feed = readFeed(options);
  if (feed === undefined) return { [Symbol.dispose]: () => undefined };
  let refused = "";
  const look = () => {
    offerUpdate(feed, refused, options).then(
      (version) => {
        refused = version ?? refused;
      },
      (error: unknown) => options.log(`No update could be had: ${errorText(error)}`),
    );
  };
  look();
  const timer = setInterval(look, DAY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Returns the version that the user declined for now; undefined when there was none, or it is being installed. */
export async function offerUpdate(
  feed: z.infer<typeof Feed>,
  refused: string,
  { load, ask, tell, keepShells, log }: Omit<UpdatesOptions, "data">,
): Promise<string | undefined> {
  const updater = await load();
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.setFeedURL({ provider: "generic", ...feed });
  const found = await updater.checkForUpdates();
  if (found === null || !found.isUpdateAvailable || found.updateInfo.version === refused) return undefined;
  const { version } = found.updateInfo;
  const name = shownLine(version, LONGEST_VERSION);
  const wanted = await ask({
    ...BOX,
    title: words.update.title,
    message: words.update.found(name),
    detail: notesOf(found.updateInfo),
    buttons: [words.update.download, words.update.later],
  });
  if (wanted.response !== 0) return version;
  try {
    await updater.downloadUpdate();
  } catch (error) {
    const why = errorText(error);
    log(`Patchbay ${name} could not be downloaded: ${why}`);
    tell({ title: words.update.failed(name), body: words.update.failedWhy(shownLine(why, LONGEST_REASON)) });
    return undefined;
  }
  const now = await ask({
    ...BOX,
    title: words.update.title,
    message: words.update.ready(name),
    detail: words.update.restarts,
    buttons: [words.update.restart, words.update.later],
  });
  if (now.response !== 0) return version;
  keepShells();
  updater.quitAndInstall();
  return undefined;
}

const LONGEST_VERSION = 40;
const LONGEST_REASON = 300;
/** Of the release notes: a message box grows with its text, beyond the screen. */
const LONGEST_LINE = 80;
const MOST_LINES = 15;
const LONGEST_NOTES = 64 * 1024;

/** The box appears by itself, while the user types elsewhere: Enter changes nothing. */
const BOX = { type: "info", defaultId: 1, cancelId: 1, noLink: true } as const;

/** Release notes are text or, for several versions at once, a list; tags of HTML say nothing in a message box. */
function notesOf({ releaseNotes }: UpdateInfo): string {
  const text =
    typeof releaseNotes === "string"
      ? releaseNotes
      : (releaseNotes ?? []).map(({ version, note }) => `${version}\n${note ?? ""}`).join("\n\n");
  const lines = text
    .slice(0, LONGEST_NOTES)
    .replaceAll(/<[^<>]*>/g, "")
    .trim()
    .split(/\r?\n/)
    .map((line) => shownLine(line, LONGEST_LINE));
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), "…"] : lines;
  return shown.join("\n") || words.update.noNotes;
}

function readFeed({ data, log }: UpdatesOptions): z.infer<typeof Feed> | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(data, "updates.json"), "utf8");
  } catch {
    return undefined;
  }
  try {
    return Feed.parse(JSON.parse(text));
  } catch (error) {
    log(`updates.json cannot be used: ${error instanceof z.ZodError ? z.prettifyError(error) : String(error)}`);
    return undefined;
  }
}
