import { formatNumber, plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";

export const frame = {
  footer: {
    connected: "Verbunden",
    connecting: "Verbindet…",
    reconnecting: "Verbindet neu…",
    agents: (count: number) => plural(count, { one: "1 Agent", other: (n) => `${n} Agenten` }),
    nextWaiting: "Zum nächsten gehen",
    allWaiting: "Im Posteingang zeigen",
    waiting: (count: number) => plural(count, { one: "1 wartet auf dich", other: (n) => `${n} warten auf dich` }),
    you: (name: string, id: number) => `Du bist ${name}. Auf der Kommandozeile: --client ${id}`,
    commands: "Befehle",
    typesIntoAll: "Tippt in alle sichtbaren Shells",
    intoAll: "In alle",
    stop: "Anhalten",
    layout: "Anordnung",
    followHint: (name: string) => `Dein Bildschirm zeigt, was ${name} auf dem Bildschirm hat`,
    follow: (name: string) => `${name} folgen`,
    ownHint: "Du ordnest die Kacheln auf deinem Bildschirm selbst an",
    own: "Eigene",
    costHint: "Zu Listenpreisen, alle Sitzungen",
    costHintOver: (budget: string) => `Zu Listenpreisen, alle Sitzungen; das Budget ist ${budget}`,
    costToday: (amount: string) => `heute ${amount}`,
  },
  header: {
    chat: "Chat",
    chatNew: (count: number) => `Chat, ${formatNumber(count)} neu`,
    inviteHint: "Andere in diese Sitzung einladen",
    invite: "Einladen",
    drawer: "Posteingang und Sitzungen",
    drawerWaits: (count: number) =>
      plural(count, {
        one: "Posteingang und Sitzungen, 1 wartet auf dich",
        other: (n) => `Posteingang und Sitzungen, ${n} warten auf dich`,
      }),
    commands: "Befehle",
    commandsHint: "Alle Befehle zeigen",
  },
  drawer: {
    title: "Posteingang und Sitzungen",
    pin: "Neben den Kacheln anheften",
    unpin: "Lösen",
    close: "Posteingang schließen",
  },
  keyRow: {
    title: "Terminaltasten",
    sticky: (key: string) => `${key} für die nächste Taste`,
    paste: "Einfügen",
  },
  people: {
    count: (count: number) => plural(count, { one: "1 Person ist hier", other: (n) => `${n} Personen sind hier` }),
    you: "(du)",
    guest: "Gast",
    menuOf: (name: string) => `Menü von ${name}`,
    menu: "Menü",
    port: (port: number) => `Port ${port}`,
    at: (device: string, place: string) => `${device} · in ${place}`,
    idle: (device: string, time: string) => `${device} · seit ${time} untätig`,
    atIdle: (device: string, place: string, time: string) => `${device} · in ${place} · seit ${time} untätig`,
  },
  question: {
    cancel: "Abbrechen",
  },
  sessionMenu: {
    title: "Menü",
    titleOf: (name: string) => `Menü der Sitzung ${name}`,
    places: "Gehen zu…",
    commands: "Befehle…",
    questions: "Fragen und Anfragen",
    chat: "Chat",
    terminalSettings: "Terminaleinstellungen…",
    shortcuts: "Tastenkürzel…",
    docs: "API-Dokumentation",
    install: "Als App installieren…",
    sessionOf: (name: string, owner: string) => `${name} · Sitzung von ${owner}`,
    invite: "Einladen…",
    waiting: (count: number) => plural(count, { one: "1 wartet", other: (n) => `${n} warten` }),
    sessionName: "Name der neuen Sitzung",
    newSession: "Neue Sitzung…",
    costs: "Agenten und Kosten",
    people: "Personen",
    activity: "Aktivität",
    settings: "Einstellungen",
    welcome: "Willkommen bei Patchbay",
  },
  tabs: {
    title: "Arbeitsbereiche",
    newName: (title: string) => `Neuer Name von ${title}`,
    somethingWaits: ", etwas wartet auf dich",
    newWorkspace: "Neuer Arbeitsbereich",
    all: "Alle Arbeitsbereiche",
    waits: "wartet auf dich",
    ownWindow: ", in einem eigenen Fenster",
    moveBack: "Zurückbringen",
    moveBackHint: "Kacheln dieses Fensters dorthin zurückbringen, wo sie waren",
    tiles: (count: number) => plural(count, { one: "1 Kachel", other: (n) => `${n} Kacheln` }),
  },
};

export const layouts = {
  title: "Kacheln anordnen",
  grid: "Raster",
  columns: "Nebeneinander",
  rows: "Untereinander",
  "main-left": "Kachel mit Fokus links",
  "main-top": "Kachel mit Fokus oben",
  start: (count: number) => plural(count, { one: "1 Shell", other: (n) => `${n} Shells` }),
  startSideBySide: "2 Shells nebeneinander",
  startStacked: "2 Shells untereinander",
  startTitle: "Mit einem Raster von Shells beginnen",
};

export const overview = {
  title: "Alle Arbeitsbereiche",
  workspace: (name: string, tiles: number, waits: number) =>
    `${name}, ${plural(tiles, { one: "1 Kachel", other: (n) => `${n} Kacheln` })}${waits === 0 ? "" : `, ${formatNumber(waits)} warten auf dich`}`,
  waits: (count: number) => plural(count, { one: "1 wartet auf dich", other: (n) => `${n} warten auf dich` }),
};

export const chat = {
  title: "Chat",
  close: "Chat schließen",
  messages: "Nachrichten",
  empty: "Noch keine Nachrichten. Alle in der Sitzung sehen, was du schreibst.",
  guest: "Gast",
  message: "Nachricht",
  hint: "An alle hier schreiben",
  readOnly: "Du siehst hier nur zu. Bitte um Schreibrecht, um auch zu schreiben.",
};

export const view = {
  title: (name: string) => `${name} – Patchbay`,
  titleOfTile: (tile: string, session: string) => `${tile} · ${session}`,
  onMachine: (session: string, machine: string) => `${session} auf ${machine}`,
  someoneElse: "jemand anders",
  shell: (id: number) => `Shell ${id}`,
  workspace: (name: string) => `Arbeitsbereich ${name}`,
  endedBy: (signal: string) => `beendet durch ${signal}`,
  endedWith: (exitCode: number) => `beendet, Exit-Code ${exitCode}`,
  ended: "beendet",
  loading: "Wird geladen…",
  offline: "Die Verbindung ist unterbrochen. Der Inhalt bleibt sichtbar; tippen kannst du wieder, sobald sie besteht.",
  offlineBecause: (reason: string) =>
    `Die Verbindung ist unterbrochen. ${reason} Der Inhalt bleibt sichtbar; tippen kannst du wieder, sobald sie besteht.`,
  backWhole: (time: string) => `Nach ${time} wieder da, nichts verloren.`,
  back: (time: string) => `Nach ${time} wieder da.`,
  backSkipped: (time: string) => `Nach ${time} wieder da. Terminals, die Ausgabe übersprungen haben, sagen wie viel.`,
  agent: {
    working: (agent: string) => `${agent} · arbeitet`,
    workingFor: (agent: string, time: string) => `${agent} · arbeitet ${time}`,
    waits: "wartet auf dich",
    waitsFor: (time: string) => `wartet auf dich · ${time}`,
    failed: (agent: string) => `${agent} · fehlgeschlagen`,
    failedAgo: (agent: string, time: string) => `${agent} · vor ${time} fehlgeschlagen`,
    paused: (agent: string) => `${agent} · pausiert`,
    idle: (agent: string) => `${agent} · untätig`,
    unknown: (agent: string) => `${agent} · Zustand unbekannt`,
    ended: (agent: string) => `${agent} · beendet`,
  },
  port: (port: number) => `Port ${port}`,
  history: (shell: string) => `Verlauf von ${shell}`,
  browser: "Browser",
  plugin: "Plugin",
};

export const toasts = {
  give: (name: string) => `Shell an ${name} geben`,
  left: (time: string) => `noch ${time}`,
  takeOver: (name: string, shell: string) => `${name} möchte die Shell „${shell}“ übernehmen.`,
  askToType: (name: string) => `${name} möchte in dieser Sitzung tippen.`,
  guestAsksToType: (name: string) => `${name} (Gast) möchte in dieser Sitzung tippen.`,
  finished: (program: string, time: string, shell: string) => `„${program}“ war nach ${time} in „${shell}“ fertig.`,
  failed: (program: string, code: number, time: string, shell: string) =>
    `„${program}“ ist nach ${time} in „${shell}“ mit Exit-Code ${code} fehlgeschlagen.`,
  says: (name: string, text: string) => `„${name}“ meldet: ${text}`,
  leftOut: (count: number) =>
    plural(count, {
      one: "1 Meldung davor wurde ausgelassen.",
      other: (n) => `${n} Meldungen davor wurden ausgelassen.`,
    }),
  goTo: "Dorthin gehen",
  owner: "die andere Person",
  askedOwner: (owner: string, name: string, seconds: number) =>
    `Du hast ${owner} um „${name}“ gebeten. Für die Antwort bleiben ${seconds} s.`,
  agreed: (name: string, owner: string) => `„${name}“ gehört jetzt dir: ${owner} hat zugestimmt.`,
  refused: (name: string, owner: string) => `„${name}“ bekommst du nicht: ${owner} hat abgelehnt.`,
  unanswered: (name: string, owner: string) =>
    `„${name}“ bekommst du nicht: ${owner} hat nicht geantwortet. Du kannst noch einmal fragen.`,
  roles: {
    admin: "Du bist jetzt Admin dieser Sitzung: Du kannst in jeder Shell tippen.",
    writer: "Du kannst jetzt tippen: eine Shell öffnen oder um die einer anderen Person bitten.",
    reader: "Du kannst in dieser Sitzung jetzt nur zusehen.",
  },
  withdrawn:
    "Deine Bitte zu tippen wurde zurückgezogen, während du nicht verbunden warst. Du kannst noch einmal fragen.",
  notNow: "Der Host lässt dich vorerst nicht tippen. In 5 min kannst du noch einmal fragen.",
  noAnswer: "Niemand hat deine Bitte zu tippen beantwortet. Du kannst noch einmal fragen.",
  letType: (name: string) => `${name} tippen lassen`,
  later: "Nicht jetzt",
  kinds: {
    info: "Hinweis",
    success: "Erledigt",
    error: "Fehler",
  },
  title: "Meldungen",
  dismiss: "Ausblenden",
};

export const welcome = {
  intro:
    "Das ist deine eigene Shell, in einer Kachel. Du, deine Skripte, KI-Agenten und Leute, die du einlädst, können dieselben laufenden Shells sehen und benutzen. Nichts verlässt diesen Rechner, wenn du es nicht sagst.",
  iconPlaces: { "menu bar": "der Menüleiste", "notification area": "dem Infobereich", tray: "dem Infobereich" },
  goesOn: (place: string) =>
    `Dieses Fenster zu schließen beendet nichts: Patchbay läuft weiter, und sein Symbol in ${place} öffnet das Panel.`,
  goesOnWithout: "Dieses Fenster zu schließen beendet nichts; ein neuer Start von Patchbay zeigt es wieder.",
  commandLine: {
    added: "Hinzugefügt. Neue Terminals finden die Kommandozeile.",
    copied: "Die Zeile ist in der Zwischenablage.",
    notCopied: "Die Zeile ließ sich nicht kopieren; stattdessen auswählen.",
    about: sentence(
      "Skripte und Agenten steuern eine Sitzung mit {service}. In Patchbays eigenen Shells geht das schon, zum Beispiel {example}.",
    ),
    addTo: (file: string) => `Zu ${file} hinzufügen`,
    copy: "Kopieren",
    key: "Ihr Schlüssel ist in deinem Schlüsselbund.",
    keyLater: (problem: string) => `${problem} Bis dahin bekommt ein Terminal einen Schlüssel mit \`patchbay login\`.`,
    connected: "Sie ist verbunden: Neue Terminals finden sie.",
    fullPath: "Auf diesem System starten Terminals außerhalb von Patchbay sie mit ihrem vollen Pfad.",
    fileAdds:
      "Andere Terminals haben sie als „patchbay func“. In der Startdatei deiner Shell ergänzt diese Zeile „service“.",
    lineAdds: "Andere Terminals haben sie als „patchbay func“. Diese Zeile ergänzt „service“.",
    fileConnects: "In der Startdatei deiner Shell sorgt diese Zeile dafür, dass es in jedem anderen Terminal geht.",
    lineConnects: "Diese Zeile sorgt dafür, dass es in jedem anderen Terminal geht.",
  },
  history: {
    about:
      "Patchbay kann auf der Festplatte behalten, was Shells ausgeben, damit du es nach einem Neustart lesen und durchsuchen kannst.",
    kept: "Behalten werden 30 Tage, höchstens 2 GB, verschlüsselt mit einem Schlüssel in deinem Schlüsselbund. Ohne Entscheidung wird nichts aufgezeichnet.",
    record: "Aufzeichnen",
    keepOff: "Nicht aufzeichnen",
    unencrypted: "Ohne Verschlüsselung aufzeichnen",
    recorded: "Von jetzt an wird aufgezeichnet.",
    notRecorded: "Nichts wird aufgezeichnet.",
    later: "`service history on` und `service history off` ändern das.",
  },
  notifications: {
    switch: "Über Agenten benachrichtigen",
    hint: "Wenn einer auf dich wartet, fertig oder fehlgeschlagen ist.",
    show: "Jetzt eine zeigen",
    start: "Patchbay starten, wenn ich mich anmelde",
    startHint: (place: string) => `Es startet in ${place}, ohne Fenster.`,
    later: "Die Einstellungen im Panel ändern beides. Das Menü der Sitzung zeigt diese Begrüßung wieder.",
    native: "Dein Desktop hat sie gezeigt.",
    asMessage: "Dein Desktop zeigt keine Benachrichtigungen, also hat Patchbay sie als Meldung gezeigt.",
    notShown: "Sie wurde nicht gezeigt: Meldungen sind aus oder pausiert, oder diese wurde eben erst gezeigt.",
  },
  keys: {
    commands: "Alle Befehle",
    leave: "Aus der Shell in diesen Bereich",
  },
  stepOf: (step: number, count: number) => `Schritt ${step} von ${count}`,
  steps: {
    first: "Willkommen bei Patchbay",
    commandLine: "Kommandozeile verbinden",
    history: "Behalten, was Shells ausgeben",
    notifications: "Benachrichtigungen und Start",
  },
  skip: "Überspringen",
  back: "Zurück",
  done: "Fertig",
  next: "Weiter",
};
