import { plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";
import type * as english from "./now.ts";

export const inbox: typeof english.inbox = {
  title: "Wartet auf dich",
  calm: "Nichts wartet auf dich",
  calmHint: "Fragen der Agenten in deinen Shells werden hier beantwortet.",
  connect: sentence("Agenten werden hier beantwortet, sobald sie verbunden sind: {command}"),
  sentences: {
    command: {
      sentence: sentence("{agent} möchte ausführen"),
      name: (agent, subject) => `${agent} möchte ausführen: ${subject}`,
    },
    change: {
      sentence: sentence("{agent} möchte eine Datei ändern"),
      name: (agent, subject) => `${agent} möchte eine Datei ändern: ${subject}`,
    },
    use: {
      sentence: sentence("{agent} möchte {tool} verwenden"),
      name: (agent, subject, tool) => `${agent} möchte ${tool} verwenden: ${subject}`,
    },
    choice: {
      sentence: sentence("{agent} stellt dich vor eine Wahl"),
      name: (agent, subject) => `${agent} stellt dich vor eine Wahl: ${subject}`,
    },
    text: {
      sentence: sentence("{agent} fragt"),
      name: (agent, subject) => `${agent} fragt: ${subject}`,
    },
    plan: {
      sentence: sentence("{agent} hat einen Plan"),
      name: (agent, subject) => `${agent} hat einen Plan: ${subject}`,
    },
    login: {
      sentence: sentence("{agent} möchte sich anmelden"),
      name: (agent, subject) => `${agent} möchte sich anmelden: ${subject}`,
    },
    screen: {
      sentence: sentence("{agent} fragt auf seinem Bildschirm"),
      name: (agent, subject) => `${agent} fragt auf seinem Bildschirm: ${subject}`,
    },
    budget: {
      sentence: sentence("Ein Budget von {agent} ist erreicht"),
      name: (agent, subject) => `Ein Budget von ${agent} ist erreicht: ${subject}`,
    },
  },
  askedAt: (time) => `Gefragt um ${time}`,
  now: "jetzt",
  left: (time) => `noch ${time}`,
  expires: "läuft ab",
  changed: (added, removed) => `+${added} −${removed}`,
  inTerminal: "Beantworten lässt sich das nur in seinem Terminal.",
  whenBack: (machine) => `Beantworten lässt sich das, wenn ${machine} wieder erreichbar ist.`,
  showTerminalOf: (agent, session) => `Terminal von ${agent} in ${session} zeigen`,
  showTerminal: "Terminal zeigen",
  lasts: (agent) =>
    `Das gilt für ${agent} über diese Frage hinaus, bis es dort zurückgenommen wird, wo ${agent} seine Regeln hat.`,
  back: "Zurück",
  sending: "Die Antwort wird gesendet.",
  lost: (outcome) => `Deine Antwort wurde nicht verwendet. ${outcome}`,
  fromScreen: "Das wurde vom Bildschirm des Terminals gelesen. Vor der Antwort dort nachsehen.",
  intoScreen:
    "Die Antwort wird in den Dialog auf dem Bildschirm des Terminals getippt. Vor der Antwort dort nachsehen.",
};

export const requests: typeof english.requests = {
  notNow: "Nicht jetzt",
  answered: (answer) => `Deine Antwort: ${answer}`,
  overtaken: "Woanders beantwortet oder nicht mehr gefragt.",
  login: {
    sentence: sentence("{name} möchte sich anmelden"),
    name: (name) => `${name} möchte sich anmelden`,
    from: (address) => `ein Programm, von ${address}`,
    about: (time) =>
      `Nur erlauben, wenn du es gestartet hast und es diesen Code zeigt, bis ${time}: Es bekommt einen Schlüssel mit all deinen Rechten.`,
    allow: (code) => `Anmeldung ${code} erlauben`,
    allowIt: "Codes stimmen, erlauben",
    deny: (code) => `Anmeldung ${code} ablehnen`,
    denyIt: "Ablehnen",
  },
  adopt: {
    sentence: sentence("{name} bittet um die Shell {shell}"),
    name: (name, shell) => `${name} bittet um die Shell ${shell}`,
    about: "Du siehst weiter zu und kannst sie zurücknehmen.",
    give: (name) => `Shell an ${name} geben`,
  },
  role: {
    sentence: sentence("{name} möchte tippen"),
    name: (name) => `${name} möchte tippen`,
    about: (session) => `Bis du es änderst, in allen Shells von ${session}, die niemand anders hat.`,
    let: (name) => `${name} tippen lassen`,
  },
  control: {
    sentence: sentence("{agent} möchte die Sitzung steuern"),
    name: (agent) => `${agent} möchte die Sitzung steuern`,
    about: "Diese Methode wurde aufgerufen und abgelehnt.",
    aboutIn: (folder) => `Diese Methode wurde in ${folder} aufgerufen und abgelehnt.`,
    once: "Einmal erlauben",
    always: "Immer in diesem Ordner",
    lasts: (agent, folder) =>
      `${agent} in ${folder} steuert diese Sitzung dann ohne Frage, bis du das unter „Sitzungen“ vergessen lässt.`,
    no: "Nein",
  },
  agent: {
    sentence: sentence("{agent} wartet auf dich"),
    name: (agent) => `${agent} wartet auf dich`,
    about: "Hier lässt sich keine Frage beantworten: Sie wartet in seinem Terminal.",
  },
  plugin: {
    sentence: sentence("Das Plugin {name} bittet um Berechtigungen"),
    name: (name) => `Das Plugin ${name} bittet um Berechtigungen`,
    about: (origin) => `Installiert von ${origin}. Es läuft nicht, bis du in seiner Sitzung entschieden hast.`,
    look: (session) => `In ${session} nachsehen`,
  },
  budget: {
    sentence: "Das Budget für heute ist überschritten",
    scope: "alle Sitzungen",
    of: (budget) => `von ${budget} zu Listenpreisen`,
    about: "Die Agenten arbeiten weiter: Dieses Budget warnt nur.",
    raise: (budget) => `Auf ${budget} erhöhen`,
    look: "Kosten zeigen",
    none: "Kein Budget für den Tag",
    lasts: "Dann hat kein Tag ein Budget und nichts warnt davor, bis du wieder eins festlegst.",
  },
};

export const steps: typeof english.steps = {
  title: "Erste Schritte",
  session: "Shells und Agenten laufen in einer Sitzung.",
  copy: "Befehl kopieren",
  copied: "Der Befehl ist in der Zwischenablage. Führe ihn in einem Terminal aus.",
  notCopied: "Der Befehl konnte nicht kopiert werden.",
  invite: "Andere kommen über einen Link in eine Sitzung.",
  inviteSomeone: "Jemanden einladen",
};

export const running: typeof english.running = {
  title: "Läuft",
  about: (agents, shells) =>
    `${plural(agents, { one: "1 Agent", other: (n) => `${n} Agenten` })}, ${plural(shells, { one: "1 Shell", other: (n) => `${n} Shells` })}`,
  all: "Alle Agenten und Kosten",
  sessions: (sessions, machines) =>
    machines === 1
      ? plural(sessions, { one: "1", other: (n) => n })
      : `${plural(sessions, { one: "1", other: (n) => n })} auf diesem Rechner, ${plural(machines - 1, { one: "1 weiterer Rechner", other: (n) => `${n} weitere Rechner` })}`,
  allSessions: "Alle Sitzungen und Personen",
  row: (row) =>
    [row.task === row.agent ? row.agent : `${row.agent}, ${row.task}`, row.state, row.elapsed, row.cost]
      .filter((part) => part !== "")
      .join(", "),
  session: (name, shells, people) => `${name}, ${shells}, ${people}`,
  more: (count) => plural(count, { one: "1 weitere", other: (n) => `${n} weitere` }),
  showAll: "Alle zeigen",
};

export const today: typeof english.today = {
  title: "Kosten heute",
  today: "heute zu Listenpreisen",
  ofBudget: (budget) => `von ${budget} heute`,
  basis: "zu Listenpreisen",
  forecast: (cost) => `etwa ${cost} bis Mitternacht`,
  pace: "Wenn die Agenten im Tempo der letzten drei Stunden weitermachen. US-Dollar zu Listenpreisen",
  setBudget: "Budget festlegen",
  others: (count) => plural(count, { one: "1 weiterer", other: (n) => `${n} weitere` }),
  show: "Agenten und Kosten zeigen",
};

export const here: typeof english.here = {
  title: "Personen hier",
  alone: "Nur du bist hier",
  watches: sentence("{name} sieht zu"),
  types: sentence("{name} tippt in {shell}"),
  isIn: sentence("{name} ist in {session}"),
  more: (count) => plural(count, { one: ", 1 weitere", other: (n) => `, ${n} weitere` }),
};

export const actions: typeof english.actions = {
  of: (name) => `Aktionen für ${name}`,
  readConversation: "Gespräch lesen",
  mute: (agent) => `${agent} stummschalten`,
  unmute: (agent) => `${agent} wieder melden lassen`,
};

export const bar: typeof english.bar = {
  actions: "Aktionen",
  open: (name) => `${name} öffnen`,
  goTo: (place) => `Gehe zu ${place}`,
  costs: "Kosten zeigen",
  keys: "Schlüssel zeigen",
  search: "Tippen zum Suchen",
  goThere: "Dorthin",
};

export const health: typeof english.health = {
  title: "Zustand",
  notice: "Hinweis",
  several: (first, more) =>
    `${first}, ${plural(more, { one: "und 1 weiterer Hinweis", other: (n) => `und ${n} weitere Hinweise` })}`,
  how: "Wie",
  hide: "Verbergen",
  doctor: sentence("{command} prüft dasselbe und die Remotes."),
  again: "Erneut prüfen",
  checking: "Prüft…",
  failed: (why) => `Die Prüfungen konnten nicht ausgeführt werden: ${why}`,
  states: { ok: "Funktioniert", note: "Hinweis", problem: "Funktioniert nicht" },
  problems: (count) => plural(count, { one: "1 Hinweis", other: (n) => `${n} Hinweise` }),
};

export const search: typeof english.search = {
  label: "Suchen oder Befehl ausführen",
  hint: "Suche oder Befehl",
  shortHint: "Suchen",
  results: "Suchergebnisse",
  nothing: "Nichts passt",
  nothingElse: "Sonst passt nichts",
  fromThree: "Ab drei Buchstaben wird alles durchsucht, was ausgegeben, ausgeführt und gesagt wurde.",
  more: (count) => plural(count, { one: "1 weiterer", other: (n) => `${n} weitere` }),
  showAll: "Alle zeigen",
  toPeople: "Personen zeigen",
  groups: {
    sessions: "Sitzungen",
    agents: "Agenten",
    people: "Personen",
    places: "Orte",
    settings: "Einstellungen",
    actions: "Befehle",
  },
  placeKeywords: {
    now: "inbox questions waits fragen eingang wartet",
    sessions: "people guests roles machines invite personen gäste rollen rechner einladen",
    agents: "costs budget prompts quotas policies kosten kontingente richtlinien",
    activity: "audit log history notifications protokoll verlauf benachrichtigungen",
    settings: "options preferences optionen",
  },
  pauseKeywords: "mute notifications quiet stumm ruhe benachrichtigungen",
  inviteKeywords: "share link QR code phone guest teilen handy telefon gast",
  leaveKeywords: "revoke remove kick disconnect entziehen hinauswerfen",
};
