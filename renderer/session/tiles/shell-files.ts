import { errorText } from "../../../core/protocol/error-text.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { isClearlyPath } from "../terminal/find-paths.ts";
import type { PathPorts } from "../terminal/path-links.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

/** What paths in a shell's output do: in the app they open files of this machine, in a browser they can be copied. */
export function pathPorts(view: View, shell: ShellId): PathPorts {
  const { files } = view.host;
  if (files === undefined) {
    return {
      effect: words.tiles.files.copies,
      areThere: async (paths) => paths.map(isClearlyPath),
      open: (path) => void copyPath(view, path),
    };
  }
  return {
    effect: words.tiles.files.opens,
    areThere: (paths) => files.find(shell, paths),
    open(path) {
      files.open(shell, path).then(
        (result) => {
          if (result === "shown") view.ui.toasts.show("info", words.tiles.files.inFolder(path));
        },
        (error: unknown) => view.ui.toasts.show("error", errorText(error)),
      );
    },
  };
}

async function copyPath(view: View, path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(path);
    view.ui.toasts.show("info", words.tiles.files.copied(path));
  } catch {
    view.ui.toasts.show("error", words.tiles.files.noCopy);
  }
}
