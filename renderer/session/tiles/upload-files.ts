import { formatLocale } from "../../../core/phrases.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { safeFileName, uploadLimits } from "../../../core/protocol/uploads.ts";
import { formatBytes } from "../../ui/format-bytes.ts";
import type { FileUploads } from "../view/session-host.ts";
import type { ToastAction } from "../view/toast-store.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Number of files that the question names. */
const MAX_NAMED = 8;
/** Characters of a name that the question shows: they fit a phone. */
const MAX_CHARACTERS = 30;
const ABOUT = "upload";

/** Bytes of a piece. A small one lets keys pass in between; a large one costs fewer round trips. */
const PIECE = { smallest: 16 * 1024, first: 64 * 1024, largest: 256 * 1024 };
/** A piece that takes less is followed by a larger one, and one that takes more than twice as long by a smaller one. */
const QUICK_MS = 100;

interface Wanted {
  readonly shell: ShellId;
  readonly files: readonly File[];
}

/**
 * Uploads files for a shell once the user has agreed to what and where. Returns their paths on the machine of the shells;
 * undefined if the user has cancelled it. Rejects with a message for the user.
 */
export async function uploadFiles(
  view: View,
  uploads: FileUploads,
  { shell, files }: Wanted,
): Promise<readonly string[] | undefined> {
  checkBounds(files);
  const cwd = view.host.snapshot().mirror?.shells.find(({ id }) => id === shell)?.cwd;
  const place = await view.ui.ask(question(files, cwd));
  if (place === undefined) return undefined;
  const { upload } = await uploads.start({
    shell,
    ...(place === "folder" ? { folder: cwd } : {}),
    files: files.map(({ name, size }) => ({ name: safeFileName(name), size })),
  });
  const progress = new Progress(view, files, () => void uploads.cancel({ upload }).catch(() => undefined));
  try {
    for (const [index, file] of files.entries()) await sendFile(uploads, { upload, index, file }, progress);
    const { paths } = await uploads.finish({ upload });
    return paths;
  } catch (error) {
    if (progress.cancelled) return undefined;
    // Also where reading the file has failed, of which the relay does not know.
    await uploads.cancel({ upload }).catch(() => undefined);
    throw error;
  } finally {
    progress.end();
  }
}

function checkBounds(files: readonly File[]): void {
  const sum = files.reduce((bytes, { size }) => bytes + size, 0);
  const large = files.find(({ size }) => size > uploadLimits.fileBytes);
  if (files.length > uploadLimits.files) throw new Error(words.tiles.upload.tooMany(uploadLimits.files));
  if (large !== undefined) {
    const limit = formatBytes(uploadLimits.fileBytes);
    throw new Error(words.tiles.upload.tooLarge(safeFileName(large.name), limit));
  }
  if (sum > uploadLimits.bytes) throw new Error(words.tiles.upload.tooMuch(formatBytes(uploadLimits.bytes)));
}

function question(files: readonly File[], cwd: string | undefined) {
  const sizes = files.map(({ size }) => formatBytes(size));
  const width = Math.max(...sizes.map(({ length }) => length));
  const lines = files.map(({ name }, index) => `${sizes[index]?.padStart(width)}  ${middleCut(safeFileName(name))}`);
  const more = lines.length - MAX_NAMED;
  return {
    title: words.tiles.upload.question(files.length),
    body: cwd === undefined ? words.tiles.upload.where : words.tiles.upload.whereOr(cwd),
    quote: more > 0 ? [...lines.slice(0, MAX_NAMED), words.tiles.upload.more(more)] : lines,
    answers: [
      ...(cwd === undefined ? [] : [{ id: "folder", label: words.tiles.upload.intoFolder }]),
      { id: "private", label: words.tiles.upload.intoPrivate },
    ],
  };
}

/** Cuts a long name where neither its beginning nor its extension is. */
function middleCut(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_CHARACTERS) return name;
  return `${characters.slice(0, MAX_CHARACTERS - 13).join("")}…${characters.slice(-12).join("")}`;
}

async function sendFile(
  uploads: FileUploads,
  { upload, index, file }: { readonly upload: number; readonly index: number; readonly file: File },
  progress: Progress,
): Promise<void> {
  let length = PIECE.first;
  for (let at = 0; at < file.size; ) {
    const piece = file.slice(at, at + length);
    const startedAt = performance.now();
    await uploads.send({ upload, file: index, data: await base64Of(piece) });
    const took = performance.now() - startedAt;
    at += piece.size;
    progress.sent(piece.size);
    if (took < QUICK_MS) length = Math.min(PIECE.largest, length * 2);
    else if (took > 2 * QUICK_MS) length = Math.max(PIECE.smallest, length / 2);
  }
}

/** Characters that one call makes from bytes: all at once would be too many arguments. */
const AT_ONCE = 0x8000;

async function base64Of(piece: Blob): Promise<string> {
  const content = await piece.arrayBuffer().catch((error: unknown) => {
    throw new Error(words.tiles.upload.unreadable, { cause: error });
  });
  const bytes = new Uint8Array(content);
  let binary = "";
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  }
  return btoa(binary);
}

/** The message of a running upload, which is renewed at each tenth. */
class Progress {
  cancelled = false;
  readonly #view: View;
  /** One for all tenths: a message with the same action is renewed in its place. */
  readonly #actions: readonly ToastAction[];
  readonly #what: string;
  readonly #sum: number;
  #sent = 0;
  #tenths = 0;

  constructor(view: View, files: readonly File[], cancel: () => void) {
    this.#view = view;
    const run = () => {
      this.cancelled = true;
      cancel();
    };
    this.#actions = [{ label: words.tiles.upload.cancel, run }];
    this.#sum = files.reduce((bytes, { size }) => bytes + size, 0);
    const [first] = files;
    this.#what =
      files.length === 1 && first !== undefined
        ? words.tiles.upload.file(safeFileName(first.name))
        : words.tiles.upload.files(files.length);
    this.#show();
  }

  sent(bytes: number): void {
    this.#sent += bytes;
    const tenths = Math.floor((this.#sent / this.#sum) * 10);
    if (tenths === this.#tenths) return;
    this.#tenths = tenths;
    this.#show();
  }

  end(): void {
    this.#view.ui.toasts.dismissAbout(ABOUT);
  }

  #show(): void {
    if (this.cancelled) return;
    const percent = new Intl.NumberFormat(formatLocale(), { style: "percent" }).format(this.#tenths / 10);
    const message = words.tiles.upload.progress(this.#what, formatBytes(this.#sum), percent);
    this.#view.ui.toasts.show("info", message, this.#actions, ABOUT);
  }
}
