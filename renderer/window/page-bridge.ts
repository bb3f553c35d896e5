import type { PageBridge } from "../../preload/channels.ts";

declare global {
  interface Window {
    /** Provided by preload/preload.ts. */
    readonly patchbay?: PageBridge;
  }
}

/** Returns the bridge to the main process. Throws if the page was opened outside the app. */
export function pageBridge(): PageBridge {
  if (window.patchbay === undefined) throw new Error("This page works only inside the Patchbay app.");
  return window.patchbay;
}
