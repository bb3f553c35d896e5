import type { Install } from "../session/view/session-host.ts";
import { createStore } from "../ui/store.ts";

/** What a browser offers a page that it can install (Chromium only; other browsers have it in a menu of their own). */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

/** Returns how the user installs the page as an app; the value is undefined while the browser does not offer it. */
export function watchInstallOffers(window: Window): Install {
  const offer = createStore<(() => void) | undefined>(undefined);
  window.addEventListener("beforeinstallprompt", (event) => {
    if (!isOffer(event)) return;
    // The menu offers it, in place of the browser's own bar.
    event.preventDefault();
    offer.set(() => {
      offer.set(undefined);
      event.prompt().catch(() => undefined);
    });
  });
  return offer;
}

/** Registers the worker that speaks for a relay that cannot be reached. Without one, the browser shows its own error. */
export function registerOfflineWorker({ navigator, location }: Window): void {
  // The page is `<base>/s/<session>`. A browser refuses it where it does not trust the relay's certificate.
  const script = new URL("./worker.js", location.href);
  navigator.serviceWorker?.register(script, { scope: location.pathname }).catch(() => undefined);
}

function isOffer(event: Event): event is InstallOffer {
  return "prompt" in event;
}
