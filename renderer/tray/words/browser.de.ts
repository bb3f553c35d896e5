import type { browser as english } from "./browser.ts";

export const browser: typeof english = {
  title: "Das Panel des Besitzers",
  about:
    "Mit einem API-Schlüssel des Besitzers öffnen, oder zuerst den Besitzerlink, den serve ausgibt, in diesem Browser öffnen.",
  key: "API-Schlüssel",
  hint: "Mit allen Rechten. Er wird behalten, bis dieser Tab geschlossen wird.",
  open: "Panel öffnen",
  unreachable: "Das Relay ist nicht erreichbar. Das Netzwerk prüfen und erneut versuchen.",
  onlyInApp: "Das geht nur in der App.",
};
