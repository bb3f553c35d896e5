import { sentence } from "../../ui/sentence.ts";
import type * as english from "./browser.ts";

export const browser: typeof english.browser = {
  title: "Das Panel des Besitzers",
  about:
    "Mit einem API-Schlüssel des Besitzers öffnen, oder zuerst den Besitzerlink, den serve ausgibt, in diesem Browser öffnen.",
  key: "API-Schlüssel",
  hint: "Mit allen Rechten. Er wird behalten, bis dieser Tab geschlossen wird.",
  open: "Panel öffnen",
  unreachable: "Das Relay ist nicht erreichbar. Das Netzwerk prüfen und erneut versuchen.",
  onlyInApp: "Das geht nur in der App.",
  notCopied: "Der Browser hat das Kopieren nicht erlaubt.",
  outcomeUnknown: "Das Relay hat nicht rechtzeitig geantwortet. Es ist nicht bekannt, ob das angekommen ist.",
};

export const connection: typeof english.connection = {
  loading: "Das Relay wird gefragt",
  title: "Das Relay antwortet nicht",
  asOf: (time) => `Gezeigt wird der Stand von ${time}.`,
  start: sentence("Falls das Relay beendet wurde, starte es auf seinem Rechner mit {command}."),
  retry: "Erneut versuchen",
  trying: "Wird versucht…",
};
