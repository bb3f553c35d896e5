import { formatNumber, plural } from "../../core/phrases.ts";
import type { words as english } from "./words.ts";

const sessions = (count: number) => plural(count, { one: "1 Sitzung", other: (n) => `${n} Sitzungen` });
const shells = (count: number) => plural(count, { one: "1 Shell", other: (n) => `${n} Shells` });

export const words: typeof english = {
  tray: {
    status: (sessionCount, shellCount) => `Patchbay: ${sessions(sessionCount)}, ${shells(shellCount)}`,
    statusWaiting: (waiting, sessionCount, shellCount) =>
      `Patchbay: ${plural(waiting, { one: "1 wartet auf dich", other: (n) => `${n} warten auf dich` })}, ${sessions(sessionCount)}, ${shells(shellCount)}`,
    login: (program) => `${program} möchte Zugang`,
    trouble: (problem) => `Störung: ${problem}`,
    costToday: (cost) => `Heute ${cost} zu Listenpreisen`,
    overBudget: (over) => `${over} über dem Budget für heute`,
    noSession: "Keine Sitzung ist offen",
    showPanel: "Panel zeigen",
    settings: "Einstellungen…",
    pause: "Benachrichtigungen pausieren",
    welcome: "Willkommen bei Patchbay",
    quit: "Patchbay beenden",
    waits: (agent, session) => `${agent} wartet in ${session} auf dich`,
    session: (name, shellCount) => `${name} (${shells(shellCount)})`,
    sessionWaiting: (name, waiting, shellCount) => `${name} (${formatNumber(waiting)} wartend, ${shells(shellCount)})`,
    open: "Öffnen",
    copyId: "ID kopieren",
  },
  windows: {
    settings: "Einstellungen – Patchbay",
    title: (session) => `${session} – Patchbay`,
    titleOn: (session, machine) => `${session} auf ${machine} – Patchbay`,
    titleOfTile: (tile, window) => `${tile} – ${window}`,
    noKey: (machine) => `Für ${machine} ist auf diesem Rechner kein Schlüssel gespeichert.`,
    otherKey: "Ein anderer Schlüssel ist gewünscht.",
    keyDeleted: (machine) => `Der Schlüssel für ${machine} wurde gelöscht.`,
    noMachine: (machine) => `${machine} gehört nicht mehr zu deinen Rechnern.`,
  },
  quit: {
    title: "Patchbay beenden",
    question: "Patchbay beenden?",
    detail: (shellCount) =>
      plural(shellCount, {
        one: "1 Shell läuft. Beim Beenden kann sie enden oder weiterlaufen: Dann ist sie beim nächsten Start wieder da.",
        other: (n) =>
          `${n} Shells laufen. Beim Beenden können sie enden oder weiterlaufen: Dann sind sie beim nächsten Start wieder da.`,
      }),
    end: "Mit den Shells beenden",
    keep: "Beenden, Shells behalten",
    cancel: "Abbrechen",
  },
  update: {
    title: "Aktualisierung",
    found: (version) => `Patchbay ${version} ist da.`,
    noNotes: "Ohne Versionshinweise.",
    download: "Herunterladen",
    later: "Später",
    failed: (version) => `Patchbay ${version} ließ sich nicht herunterladen`,
    failedWhy: (why) => `${why}\nDiese Version läuft weiter. Patchbay sucht morgen wieder nach einer neueren.`,
    ready: (version) => `Patchbay ${version} ist bereit.`,
    restarts: "Patchbay startet damit neu. Die Shells laufen währenddessen weiter.",
    restart: "Neu starten",
  },
  dialogs: {
    exportTable: "Exportieren",
    csv: "Kommagetrennte Werte",
    chooseCredentials: "Zugangsdaten dieses Rechners für die Flotte wählen",
    credentials: "Zugangsdaten",
    allFiles: "Alle Dateien",
  },
  notices: {
    inOneLine: (title, body) => `${title}: ${body}`,
    session: (name) => `Sitzung ${name}`,
    works: "Benachrichtigungen funktionieren",
    worksDetail: "Hier sagt Patchbay dir, wenn ein Agent wartet.",
    notUsed: "Deine Antwort wurde nicht verwendet",
    mute: "Diesen Agenten stummschalten",
    more: (count) =>
      plural(count, { one: "1 weitere Benachrichtigung", other: (n) => `${n} weitere Benachrichtigungen` }),
    tooFast: "Sie kamen schneller, als sie sich lesen lassen.",
    reachable: "Andere Rechner können Patchbay erreichen",
    reachableAt: (address) =>
      `Unter ${address}, mit einem API-Schlüssel oder einem Einladungslink. Um nur diesen Rechner zu bedienen, das in den Einstellungen des Panels ändern oder ohne --listen starten.`,
    login: "Ein Programm möchte Zugang",
    loginCode: (program, code) => `${program}\nCode ${code}`,
    asksToType: (name) => `${name} möchte tippen`,
    guestAsksToType: (name) => `${name} (Gast) möchte tippen`,
    answerTyping: "Im Fenster der Sitzung antworten, oder im Panel.",
  },
  agents: {
    waits: (agent) => `${agent} wartet auf dich`,
    ended: (agent) => `${agent} wurde beendet`,
    program: "Ein Programm",
    asks: (agent, title) => `${agent} fragt: ${title}`,
    asksYou: (agent) => `${agent} fragt dich`,
    failed: (agent) => `${agent} ist fehlgeschlagen`,
    finished: (agent) => `${agent} ist fertig`,
    highRisk: (reasons) => `Hohes Risiko: ${reasons}`,
    where: (shell) => `In ${shell}`,
  },
  budgets: {
    names: {
      day: "Das Budget für heute",
      model: (model) => `Das heutige Budget für ${model}`,
      session: (session) => `Das Budget von ${session}`,
      shell: (shell, session) => `Das Budget der Shell ${shell} in ${session}`,
      agent: (session) => `Das Budget der Agentensitzung ${session}`,
      window: (window) => `Das Fenster ${window}`,
    },
    limitReached: (window) => `${window} hat seine Grenze erreicht`,
    limitNear: (window) => `${window} hat seine Grenze fast erreicht`,
    limit: (used, limit) => `${used} % sind verbraucht, die Grenze liegt bei ${limit} %.`,
    spent: (budget) => `${budget} ist aufgebraucht`,
    partlySpent: (budget, percent) => `${budget}: ${percent} % verbraucht`,
    cost: (spent, limit) => `${spent} von ${limit} zu Listenpreisen.`,
    approximate: (part) => `Etwa ${part} davon wurden wie ein ähnliches Modell berechnet.`,
    unpriced: "Aufrufe von Modellen ohne Preis sind nicht enthalten; ein Budget in Token zählt sie mit.",
    tokens: (spent, limit) => `${spent} von ${limit} Token.`,
  },
};
