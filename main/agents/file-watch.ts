import { type FSWatcher, watch } from "chokidar";

/** Watches single files through the system's notifications (inotify, FSEvents), so that a change is read at once. */
export interface FileWatch extends Disposable {
  /** Replaces the set of watched files. */
  only(paths: ReadonlySet<string>): void;
}

/** Creates the watcher with the first file: a relay without agents has none. */
export function watchFiles(
  onChange: (path: string) => void,
  log: (message: string, fields?: object) => void,
): FileWatch {
  let watcher: FSWatcher | undefined;
  let watched: ReadonlySet<string> = new Set();
  let failed = false;
  return {
    only(paths) {
      if (watcher === undefined && paths.size === 0) return;
      watcher ??= watch([], { ignoreInitial: true, followSymlinks: false })
        .on("change", onChange)
        .on("error", (error) => {
          // The poll every second still reads changes, only later.
          if (!failed) log("transcripts cannot be watched", { error: String(error) });
          failed = true;
        });
      const added = [...paths].filter((path) => !watched.has(path));
      const removed = [...watched].filter((path) => !paths.has(path));
      if (added.length > 0) watcher.add(added);
      if (removed.length > 0) watcher.unwatch(removed);
      watched = new Set(paths);
    },
    [Symbol.dispose]() {
      void watcher?.close();
      watcher = undefined;
    },
  };
}
