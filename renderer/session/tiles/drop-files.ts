import { errorText } from "../../../core/protocol/error-text.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { Undo } from "../../../core/undo.ts";
import { quotePath } from "../terminal/quote-path.ts";
import type { ShellFiles } from "../view/session-host.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Messages about a drop replace one another. */
const ABOUT = "dropped files";

/** What becomes of files that the user gives to a terminal. */
interface FileTarget {
  readonly shell: ShellId;
  /** Whether the user may type there; a message says why not. */
  readonly mayType: () => boolean;
  readonly insert: (text: string) => void;
}

/**
 * Takes files that are dropped on a terminal. Returns a function that ends it.
 * @param take called with the files, and whether a folder is among them
 */
export function takeFileDrops(
  element: HTMLElement,
  take: (files: readonly File[], hasFolder: boolean) => void,
): () => void {
  const listening = new AbortController();
  const listen = (kind: "dragenter" | "dragover" | "dragleave" | "drop", heard: (event: DragEvent) => void) =>
    element.addEventListener(kind, (event) => hasFiles(event) && heard(event), {
      signal: listening.signal,
      capture: true,
    });
  const over = (event: DragEvent) => {
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
    element.dataset.filesOver = "";
  };
  const leave = () => delete element.dataset.filesOver;
  listen("dragenter", over);
  listen("dragover", over);
  listen("dragleave", (event) => {
    if (!(event.relatedTarget instanceof Node) || !element.contains(event.relatedTarget)) leave();
  });
  listen("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    leave();
    const items = [...(event.dataTransfer?.items ?? [])];
    take(
      [...(event.dataTransfer?.files ?? [])],
      items.some((item) => item.webkitGetAsEntry()?.isDirectory === true),
    );
  });
  return () => {
    listening.abort();
    leave();
  };
}

/** Keeps the browser from replacing the page by a file that is dropped beside the terminals. */
export function refuseOtherFileDrops(window: Window): () => void {
  const undo = new Undo();
  for (const kind of ["dragover", "drop"] as const) {
    const refuse = (event: DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "none";
    };
    window.addEventListener(kind, refuse);
    undo.add(() => window.removeEventListener(kind, refuse));
  }
  return () => undo.dispose();
}

/**
 * Inserts the paths of files, quoted for the shell. In the app the files stay where they are; a browser uploads them, if
 * its user agrees. Where nothing is inserted, a message says why.
 */
export async function insertFiles(
  view: View,
  given: readonly File[],
  { hasFolder, ...target }: FileTarget & { readonly hasFolder: boolean },
): Promise<void> {
  const { files, uploads } = view.host;
  if (!target.mayType()) return;
  let paths: readonly string[] | undefined;
  try {
    if (given.length === 0) throw new Error(words.tiles.drop.noFile);
    if (files !== undefined) paths = given.map((file) => pathOf(files, file));
    else if (hasFolder) throw new Error(words.tiles.drop.folder);
    else if (uploads !== undefined) {
      // Most pages upload nothing.
      const { uploadFiles } = await import("./upload-files.ts");
      paths = await uploadFiles(view, uploads, { shell: target.shell, files: given });
    }
    // The user has cancelled it, or was told what failed.
    if (paths !== undefined) target.insert(`${quoted(view, target.shell, paths).join(" ")} `);
  } catch (error) {
    const reason = errorText(error);
    view.ui.toasts.show("info", words.tiles.drop.nothing(reason), [], ABOUT);
  }
}

function pathOf(files: ShellFiles, file: File): string {
  const path = files.pathOf(file);
  if (path === "") throw new Error(words.tiles.drop.notHere(file.name));
  return path;
}

function quoted(view: View, shell: ShellId, paths: readonly string[]): readonly string[] {
  const record = view.host.snapshot().mirror?.shells.find(({ id }) => id === shell);
  return paths.map((path) => {
    const text = quotePath(path, record ?? { command: "" });
    if (text === undefined) throw new Error(words.tiles.drop.controls);
    return text;
  });
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}
