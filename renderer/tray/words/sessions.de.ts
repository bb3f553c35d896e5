import { plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";
import type * as english from "./sessions.ts";

export const panel: typeof english.panel = {
  cancel: "Abbrechen",
  tabs: {
    now: "Jetzt",
    sessions: "Sitzungen",
    agents: "Agenten",
    activity: "Aktivität",
    settings: "Einstellungen",
  },
  parts: "Orte des Panels",
  back: "Zurück zu „Jetzt“",
  problem: (problem) => `Störung im Relay: ${problem} Einzelheiten stehen im Protokoll im Datenordner.`,
  asWindow: (problem) =>
    `${problem} Dieses Panel ist stattdessen ein Fenster; ein neuer Start von Patchbay öffnet es wieder.`,
  resume: "Benachrichtigungen fortsetzen",
  pause: "Benachrichtigungen pausieren",
  badge: (count) => plural(count, { one: "wartet auf dich", other: "warten auf dich" }),
};

export const sessions: typeof english.sessions = {
  basis: "US-Dollar zu Listenpreisen, seit Mitternacht",
  costToday: (cost) => `heute ${cost}`,
  newSession: "Neue Sitzung",
  newName: "Name der neuen Sitzung",
  create: "Erstellen",
  search: "Sitzungen durchsuchen",
  searchHint: "Nach Namen suchen",
  noMatch: (search) => `Keine Sitzung passt zu „${search}“.`,
  none: "Keine Sitzung ist offen. Eine erstellen, um Shells darin laufen zu lassen und andere einzuladen.",
  newNameOf: (name) => `Neuer Name von ${name}`,
  rename: "Umbenennen",
  openIt: (name) => `${name} öffnen`,
  open: "Öffnen",
  agentsIn: (name) => `Agenten in ${name}`,
  closeQuestion: (name) => `„${name}“ schließen?`,
  close: "Sitzung schließen",
  idCopied: "Die ID ist in der Zwischenablage.",
  curlCopied: "Die curl-Zeile ist in der Zwischenablage; sie liest SERVICE_TOKEN.",
  copyId: "ID kopieren",
  copyCurl: "curl-Zeile kopieren",
  lift: "Einschränkung der Shells aufheben",
  restrict: "Shells einschränken",
  more: "Mehr",
  moreFor: (name) => `Mehr für ${name}`,
  restrictions: {
    restricted: "Ihre Shells sind eingeschränkt: Jede darf nur sich selbst ändern.",
    allowed: (name) => `Agenten, die ${name} immer steuern`,
    controls: (agent, folder) => `${agent} in ${folder} steuert sie immer`,
    forget: (agent, folder) => `${agent} in ${folder} vergessen`,
    forgetIt: "Vergessen",
  },
  count: {
    one: sentence("{count} Sitzung"),
    other: sentence("{count} Sitzungen"),
  },
  sessions: (count) => plural(count, { one: "1 Sitzung", other: (n) => `${n} Sitzungen` }),
  waiting: (count) => plural(count, { one: "1 wartet auf dich", other: (n) => `${n} warten auf dich` }),
  shells: (count) => plural(count, { one: "1 Shell", other: (n) => `${n} Shells` }),
  closing: {
    noShell: "In ihr läuft keine Shell. Ihr Chat und ihre Liste der Shells werden gelöscht.",
    ends: (what) => `Beendet werden ${what}. Ihr Chat und ihre Liste der Shells werden gelöscht.`,
    shells: (count) => plural(count, { one: "1 laufende Shell", other: (n) => `${n} laufende Shells` }),
    shellsWith: (shells, agents) => `${shells} mit ${agents}`,
    others: (count) =>
      plural(count, {
        one: "die Verbindung 1 anderen Person",
        other: (n) => `die Verbindungen ${n} anderer Personen`,
      }),
  },
};

export const machineUse: typeof english.machineUse = {
  of: (session) => `Was ${session} vom Rechner braucht`,
  cpu: (percent) => `${percent} Prozessor`,
  processes: (count) => plural(count, { one: "1 Prozess", other: (n) => `${n} Prozesse` }),
  basis: "100 % ist ein Prozessor; geteilter Speicher zählt bei jedem Prozess",
  shell: "Shell",
  processor: "Prozessor",
  memory: "Speicher",
  count: "Prozesse",
  left: (count) =>
    plural(count, {
      one: "1 Prozess hat ein beendeter Agent zurückgelassen",
      other: (n) => `${n} Prozesse haben beendete Agenten zurückgelassen`,
    }),
  leftIn: (session) => `Zurückgelassen in ${session}`,
  leftBy: (agent, time) => `${agent}, beendet ${time}`,
  more: (count) => plural(count, { one: "und 1 weiterer", other: (n) => `und ${n} weitere` }),
  endThem: "Beenden",
  endAll: (session) => `Alle zurückgelassenen Prozesse in ${session} beenden`,
  end: "Beenden",
  endOne: (process, pid) => `${process} (${pid}) beenden`,
  question: (count) => plural(count, { one: "1 Prozess beenden?", other: (n) => `${n} Prozesse beenden?` }),
  others: (count) => plural(count, { one: "1 weiterer", other: (n) => `${n} weitere` }),
  body: (names) =>
    `${names}: Nicht gespeicherte Arbeit darin geht verloren. Ein Prozess, der nach 3 s noch läuft, wird abgebrochen.`,
  ended: (count) => plural(count, { one: "1 Prozess beendet.", other: (n) => `${n} Prozesse beendet.` }),
};

export const people: typeof english.people = {
  peopleIn: (session) => `Personen in ${session}`,
  alone: "Niemand sonst ist hier.",
  thisApp: "diese App",
  guest: "Gast",
  app: "App",
  browser: "Browser",
  since: (time) => `Seit ${time}`,
  disconnect: {
    label: (name) => `${name} trennen`,
    question: (name) => `${name} trennen?`,
    body: "Ein Gast braucht eine neue Einladung, um sich wieder zu verbinden. Ein Programm mit einem Schlüssel kann sich verbinden, bis der Schlüssel widerrufen ist. Shells laufen weiter.",
    action: "Trennen",
  },
  lastSeen: (time) => `Nicht da, zuletzt gesehen ${time}`,
  watches: (shell, device) => `Sieht ${shell} zu · ${device}`,
  types: (shell, device) => `Tippt in ${shell} · ${device}`,
  remove: {
    label: (name) => `${name} entfernen`,
    question: (name) => `${name} entfernen?`,
    body: "Der Gast braucht eine neue Einladung, um wiederzukommen. Shells laufen weiter.",
    action: "Entfernen",
  },
  role: "Rolle",
  roleOf: (name, role) => `Rolle von ${name}: ${role}`,
  count: (people) => plural(people, { one: "1 Person", other: (n) => `${n} Personen` }),
};

export const remotes: typeof english.remotes = {
  noSession: "Dort ist keine Sitzung offen.",
  sessionsOn: (machine) => `Sitzungen auf ${machine}`,
  agentsIn: (session, machine) => `Agenten in ${session} auf ${machine}`,
  noAgent: "Dort läuft kein Agent.",
  cost: (cost) => `${cost} von seinen laufenden Agenten zu Listenpreisen`,
  agentsOn: (machine) => `Agenten auf ${machine}`,
  machine: (machine) => `Rechner ${machine}`,
  fleetMachine: (machine) => `Rechner ${machine} der Flotte`,
  inFleet: "In der Flotte",
  fleet: "Flotte",
  remote: "entfernt",
  openIt: (session, machine) => `${session} auf ${machine} öffnen`,
  openShort: (session) => `${session} öffnen`,
  notAsked: "Er ließ sich nicht fragen.",
  noAnswer: "Er antwortet nicht.",
  noKeyYet: "Um eine Sitzung zu öffnen, einmal einen Schlüssel von ihm angeben.",
  giveKey: {
    form: (machine) => `Schlüssel für ${machine}`,
    noKey: "Kein Schlüssel ist für ihn gespeichert.",
    notValid: "Der gespeicherte Schlüssel ist nicht mehr gültig.",
    label: (machine) => `API-Schlüssel von ${machine}`,
    hint: (machine) =>
      `\`patchbay keys create --name NAME\` auf ${machine} erstellt einen. Er bleibt im Schlüsselbund dieses Rechners.`,
    hintOpens: (machine, session) =>
      `\`patchbay keys create --name NAME\` auf ${machine} erstellt einen. Er bleibt im Schlüsselbund dieses Rechners und öffnet „${session}“.`,
    trying: "Der Schlüssel wird geprüft…",
    use: "Diesen Schlüssel verwenden",
  },
  keys: {
    title: "Schlüssel anderer Rechner",
    about: "Im Schlüsselbund, um die Sitzungen dieser Rechner aufzulisten und zu öffnen.",
    refused: (via) => `${via}, dort abgelehnt`,
    deleteOf: (machine) => `Schlüssel von ${machine} löschen`,
    delete: "Löschen",
    question: (machine) => `Schlüssel von ${machine} löschen?`,
    body: (machine) =>
      `Fenster mit Sitzungen von ${machine} trennen ihre Verbindung. Der Schlüssel bleibt dort gültig, bis er dort widerrufen wird.`,
    deleteKey: "Schlüssel löschen",
  },
  lastHeard: (time) => `Zuletzt gehört um ${time}`,
  awayFor: (time) => `seit ${time} nicht da`,
  otherCertificate: "anderes Zertifikat",
  noRelay: "kein Relay",
  key: (state) => `Schlüssel ${state}`,
  away: "nicht da",
  states: { reachable: "erreichbar", away: "nicht da" },
};
