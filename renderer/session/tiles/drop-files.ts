import type { ShellId } from "../../../core/protocol/ids.ts";
import { Undo } from "../../../core/undo.ts";
import { quotePath } from "../terminal/quote-path.ts";
import type { View } from "../view/view.ts";

/** Messages about a drop replace one another. */
const ABOUT = "dropped files";

/**
 * Inserts the paths of files that are dropped on a terminal, quoted for its shell. Where they are not inserted, a message
 * says why. Returns a function that ends it.
 */
export function takeFileDrops(
  view: View,
  element: HTMLElement,
  { shell, insert }: { shell: ShellId; insert: (text: string) => void },
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
    const result = textOf(view, shell, [...(event.dataTransfer?.files ?? [])]);
    if ("text" in result) insert(result.text);
    else view.ui.toasts.show("info", `Nothing was inserted. ${result.reason}`, [], ABOUT);
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

function textOf(
  view: View,
  shell: ShellId,
  dropped: readonly File[],
): { readonly text: string } | { readonly reason: string } {
  const { files } = view.host;
  if (files === undefined) {
    return {
      reason: "A browser does not tell where a file is. Drop files in the Patchbay app, on the machine of the shells.",
    };
  }
  const record = view.host.snapshot().mirror?.shells.find(({ id }) => id === shell);
  const quoted: string[] = [];
  for (const file of dropped) {
    const path = files.pathOf(file);
    if (path === "") return { reason: `“${file.name}” is no file of this machine. Save it first.` };
    const text = quotePath(path, record ?? { command: "" });
    if (text === undefined) return { reason: "The path has control characters, which a shell would take for keys." };
    quoted.push(text);
  }
  return quoted.length === 0 ? { reason: "There was no file in it." } : { text: `${quoted.join(" ")} ` };
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}
