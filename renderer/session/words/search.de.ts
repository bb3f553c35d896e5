import { formatNumber, plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";

export const search = {
  title: "Alles durchsuchen",
  field: "Ausgabe, Befehle, Gespräche und Chat durchsuchen",
  regex: "Regulärer Ausdruck",
  results: "Treffer",
  places: {
    title: "Suchen in",
    everything: "Allem",
    output: "Ausgabe",
    commands: "Befehlen",
    conversations: "Gesprächen",
    chat: "Chat",
  },
  onlyIn: (shell: string) => `Nur in ${shell}`,
  tooShort: "Mindestens drei Buchstaben eingeben.",
  searching: "Sucht…",
  none: (text: string) => `Nichts passt zu „${text}“.`,
  noneHint: "Gesucht wird Text innerhalb einer Zeile, ob groß oder klein.",
  count: (count: number) => plural(count, { one: "1 Treffer", other: (n) => `${n} Treffer` }),
  latest: (count: number) => `Die neuesten ${formatNumber(count)} Treffer: für ältere weiterblättern`,
  most: (limit: number) =>
    `Das sind die neuesten ${formatNumber(limit)} jeder Art. Mehr Buchstaben finden, was älter ist.`,
  failed: (why: string) => `Die Suche ist fehlgeschlagen: ${why}`,
  groups: {
    chat: "Chat",
    closed: "geschlossen",
    conversation: (agent: string) => `Gespräch mit ${agent}`,
  },
  kinds: { output: "Ausgabe", commands: "Befehl", conversations: "Gespräch", chat: "Nachricht" },
  around: "Zeilen um den Treffer",
  go: "Dorthin gehen",
  history: "Im Verlauf lesen",
  openHistory: "⇧ ⏎ Verlauf",
  close: "Suche schließen",
  intro: {
    title: "Alles finden, was hier ausgegeben, ausgeführt oder gesagt wurde",
    body: "Die Ausgabe aller Shells, auch geschlossener, und was den Bildschirm verlassen hat; Befehle; Gespräche mit Agenten, die du lesen darfst; den Chat.",
  },
  recording: {
    unasked: {
      title: "Ausgabe und Befehle werden noch nicht aufgezeichnet",
      body: "Mit dem Verlauf findest du, was Shells von jetzt an ausgeben. Er bleibt auf diesem Rechner, verschlüsselt mit einem Schlüssel in deinem Schlüsselbund.",
    },
    off: {
      title: "Die Aufzeichnung ist aus",
      body: "Was vorher aufgezeichnet wurde, wird gefunden; was Shells jetzt ausgeben, nicht.",
    },
    excepted: {
      title: "Diese Sitzung wird nicht aufgezeichnet",
      body: "Was vorher aufgezeichnet wurde, wird gefunden; was ihre Shells jetzt ausgeben, nicht.",
    },
    locked: {
      title: "Der Verlauf ist gesperrt",
      body: "Sein Schlüssel ist im Schlüsselbund, der nicht geantwortet hat. Den Schlüsselbund entsperren und Patchbay neu starten.",
    },
    unavailable: {
      title: "Nur der Chat wird durchsucht",
      body: "Dieses Relay hält seine Shells selbst und zeichnet keinen Verlauf auf.",
    },
  },
  byHand: sentence("Mit {command} schaltet ihn ein, wem das Relay gehört."),
  copy: "Befehl kopieren",
  copied: "Kopiert",
  conversation: {
    title: (title: string) => `Gespräch: ${title}`,
    messages: "Nachrichten",
    loading: "Das Gespräch wird gelesen…",
    failed: (why: string) => `Das Gespräch ließ sich nicht lesen: ${why}`,
    roles: { user: "Du", assistant: "Agent", tool: "Werkzeug", system: "System", subagent: "Unteragent" },
  },
  place: {
    title: (shell: string) => `Verlauf von ${shell}`,
    back: "Zurück zu den Treffern",
    earlier: "Früher",
    later: "Später",
    loading: "Der Verlauf wird gelesen…",
    gone: "Von dieser Stelle ist nichts mehr aufbewahrt.",
    failed: (why: string) => `Der Verlauf ließ sich nicht lesen: ${why}`,
    goTo: "Zur Shell gehen",
    terminal: "Aufgezeichnete Ausgabe, nur zum Lesen",
    start: "Der Anfang des Aufbewahrten",
    end: "Das Ende des Aufbewahrten",
  },
};
