import { plural } from "../../../core/phrases.ts";
import { settingWords } from "../../settings/setting-words.de.ts";
import { sentence } from "../../ui/sentence.ts";
import type * as english from "./settings.ts";

export const settings: typeof english.settings = {
  sections: "Abschnitte der Einstellungen",
  names: {
    ...settingWords.sections,
    shortcuts: "Tastenkürzel",
    keys: "Personen und Schlüssel",
    webhooks: "Webhooks",
    machines: "Rechner und Flotte",
    health: "Zustand",
    about: "Über",
  },
  keywords: {
    general: "start relay address port network data folder sprache language adresse netzwerk datenordner anmeldung",
    appearance: "theme dark light colours contrast design dunkel hell farben kontrast",
    terminal: "font size cursor bell scrollback schrift größe glocke",
    shortcuts: "keyboard keys bindings hotkeys tastatur tasten kürzel",
    notifications: "quiet mute pause sound ruhe stumm ton",
    agents: "costs limits spending kosten grenzen ausgaben policies richtlinien regeln erlauben",
    keys: "token API revoke rights widerrufen rechte people guests invites personen gäste einladungen rolle",
    webhooks: "ntfy slack discord json senden empfänger zustellungen unzustellbar",
    machines: "broker remote keychain join leave schlüsselbund beitreten verlassen",
    health: "doctor problem keychain tray störung schlüsselbund",
    about: "version licences quit lizenzen beenden",
  },
  find: "Einstellungen durchsuchen",
  results: "Passende Einstellungen",
  nothing: (text) => `Keine Einstellung passt zu „${text}“.`,
  back: "Zurück zu den Abschnitten",
  own: "Patchbay",
  budgets: sentence("Diese Budgets warnen. {command} setzt solche, die automatische Eingaben anhalten."),
  data: "Daten",
  showData: "Datenordner zeigen",
  showLicences: "Lizenzen zeigen",
  about: (version) => `Patchbay ${version}, MIT-Lizenz`,
  quit: "Patchbay beenden",
};

export const relay: typeof english.relay = {
  title: "Relay",
  address: "Adresse",
  external: "Von anderen Rechnern",
  needsRestart: "Das braucht einen Neustart. Shells laufen weiter.",
  restart: "Jetzt neu starten",
  started: sentence("Dieser Lauf wurde mit {option} gestartet, was der Einstellung vorgeht."),
  startedWithBoth: sentence("Dieser Lauf wurde mit {port} und {listen} gestartet, was den Einstellungen vorgeht."),
};

export const fleet: typeof english.fleet = {
  title: "Flotte",
  about: "Verbindet diesen Rechner über einen Broker mit anderen, sodass jeder die Sitzungen aller zeigt und steuert.",
  join: "Einer Flotte beitreten",
  broker: "Adresse des Brokers",
  brokerHint: "nats://broker.example.org:4222",
  noCredentials: "Keine Zugangsdaten gewählt",
  chooseCredentials: "Zugangsdaten wählen",
  joining: "Tritt bei…",
  joinIt: "Beitreten",
  machines: "Rechner der Flotte",
  leave: "Flotte verlassen",
  leaveQuestion: "Flotte verlassen?",
  leaveBody:
    "Andere Rechner erreichen die Sitzungen von diesem nicht mehr, und dieser nicht die ihren. Was über die Flotte offen ist, endet.",
  leaveIt: "Verlassen",
  thisMachine: "(dieser Rechner)",
  states: { off: "nicht beigetreten", connecting: "verbindet", joined: "beigetreten", disconnected: "getrennt" },
  at: (broker) => `Bei ${broker}`,
  as: (name, owner, broker) => `Als ${name} in der Flotte von ${owner}, bei ${broker}`,
  conflicts: (sessions) =>
    plural(sessions, {
      one: "1 Sitzung dieses Rechners wird auch von einem anderen bereitgestellt.",
      other: (n) => `${n} Sitzungen dieses Rechners werden auch von einem anderen bereitgestellt.`,
    }),
  present: "da",
};

export const keys: typeof english.keys = {
  lifetimes: {
    revoked: "bis zum Widerruf",
    day: "1 Tag",
    month: "30 Tage",
    year: "1 Jahr",
  },
  newKey: "Neuer Schlüssel",
  name: "Name des neuen Schlüssels",
  mayLabel: "Er darf",
  mayAll: "alles, was du darfst",
  mayRead: "nur lesen",
  secretsLabel: "Geheimnisse in Ausgaben",
  secretsShown: "sichtbar",
  secretsHidden: "verborgen",
  goodLabel: "Er gilt",
  create: "Erstellen",
  cancel: "Abbrechen",
  title: "Schlüssel",
  none: "Kein Programm hat einen Schlüssel.",
  revoke: (name) => `${name} widerrufen`,
  revokeIt: "Widerrufen",
  keychain: "Der eigene Schlüssel der Kommandozeile ist im Schlüsselbund dieses Desktops.",
  noKeychain:
    "Der Schlüsselbund ist nicht verfügbar, also bleibt der eigene Schlüssel der Kommandozeile im Speicher, bis Patchbay endet.",
  revokeQuestion: (name) => `„${name}“ widerrufen?`,
  revokeBody:
    "Programme, die diesen Schlüssel verwenden, verlieren sofort den Zugang, und ebenso alles, was damit erstellt wurde: Schlüssel, Einladungen und deren Gäste.",
  revokeKey: "Schlüssel widerrufen",
  neverUsed: "nie verwendet",
  lastUsed: (time) => `zuletzt verwendet ${time}`,
  copied: "Der Schlüssel ist 60 s lang in der Zwischenablage.",
  theNewKey: "Der neue Schlüssel",
  copyNow: "Er wird nur einmal gezeigt. Jetzt kopieren.",
  copy: "Für 60 s kopieren",
  done: "Fertig",
  expired: (time) => `abgelaufen ${time}`,
  until: (time) => `bis ${time}`,
};
