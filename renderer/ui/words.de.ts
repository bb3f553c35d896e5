import { formatNumber, plural } from "../../core/phrases.ts";
import type { Role } from "../../core/protocol/records.ts";

export const roleWords: Readonly<Record<Role, string>> = {
  admin: "Admin",
  writer: "darf tippen",
  reader: "darf zusehen",
};

export const words = {
  notLoaded: "Dieser Teil von Patchbay ließ sich nicht laden: Lade die Seite neu.",
  duration: {
    milliseconds: (count: string) => `${count} ms`,
    fewSeconds: (count: string) => `${count} s`,
    minutesAndSeconds: (minutes: number, seconds: number) => `${formatNumber(minutes)} min ${formatNumber(seconds)} s`,
    seconds: (count: number) => `${formatNumber(count)} s`,
    minutes: (count: number) => `${formatNumber(count)} min`,
    hours: (count: number) => `${formatNumber(count)} h`,
    days: (count: number) => `${formatNumber(count)} T.`,
  },
  question: {
    program: "Ein Programm",
    refuseInWords: "Nein, mit Begründung",
    answerInWords: "Etwas anderes sagen",
    allowPersistent: "Ja, von jetzt an",
    forWriters: "Beantworten kann sie, wer in dieser Sitzung tippen darf.",
    refuseLabel: "Ablehnen und begründen",
    answerLabel: "In Worten antworten",
    refuseHint: "Nein, und was stattdessen zu tun ist",
    refuse: "Ablehnen",
    send: "Senden",
    risk: { low: "Geringes Risiko", medium: "Mittleres Risiko", high: "Hohes Risiko" },
    riskBecause: (risk: string, reasons: string) => `${risk}: ${reasons}`,
    less: "Weniger zeigen",
    dismiss: "Ausblenden",
    whole: {
      command: "Den ganzen Befehl zeigen",
      files: "Die ganze Dateiliste zeigen",
      diff: "Die ganze Änderung zeigen",
      screen: "Den ganzen Bildschirm zeigen",
      text: "Den ganzen Text zeigen",
      input: "Die ganze Eingabe zeigen",
    },
    wholeQuestion: "Alles zeigen, wonach gefragt wird",
    withLines: (what: string, count: number) =>
      `${what} (${plural(count, { one: "1 Zeile", other: (n) => `${n} Zeilen` })})`,
    withMoreLines: (what: string, count: number) =>
      `${what} (${plural(count, { one: "1 weitere Zeile", other: (n) => `${n} weitere Zeilen` })})`,
    withMoreCharacters: (what: string, count: number) =>
      `${what} (${plural(count, { one: "1 weiteres Zeichen", other: (n) => `${n} weitere Zeichen` })})`,
    withdrawn: "Zurückgezogen.",
    withdrawnBecause: (reason: string) => `Zurückgezogen: ${reason}.`,
    expired: "Abgelaufen.",
    expiredBecause: (reason: string) => `Abgelaufen: ${reason}.`,
    answered: (by: string) => `Beantwortet von ${by}.`,
    answeredWith: (by: string, answer: string) => `Beantwortet von ${by}: ${answer}.`,
    answeredInTerminal: "Im Terminal beantwortet.",
    answeredInTerminalWith: (answer: string) => `Im Terminal beantwortet: ${answer}.`,
    quoted: (text: string) => `„${text}“`,
    receipt: {
      pending: (answered: string) => `${answered} Noch fehlt der Beleg, dass der Agent sie angenommen hat.`,
      confirmed: (answered: string, evidence: string) => `${answered} Bestätigt: ${evidence}.`,
      unconfirmed: (answered: string, evidence: string) =>
        `${answered} Nicht bestätigt: ${evidence}. Bitte im Terminal nachsehen.`,
      overruled: (answered: string, evidence: string) => `${answered} Überstimmt: ${evidence}.`,
      abandoned: (answered: string, evidence: string) => `${answered} Der Agent endete vorher: ${evidence}.`,
    },
  },
  themes: {
    tooLarge: "Die Datei ist zu groß für ein Farbschema: mehr als 256 kB.",
    imported: "Importiert",
    importedName: (name: string) => `${name} (importiert)`,
    lacks: (key: string) => `Dem Farbschema fehlt ${key}.`,
    lacksColour: (index: string) => `Dem Farbschema fehlt die Farbe ${index}.`,
    noChannel: (key: string, channel: string) => `„${key}“ hat kein ${channel} zwischen 0 und 1.`,
    noColour: (text: string) => `„${text}“ ist keine Farbe der Form #rrggbb.`,
    noPropertyList: "Die Datei ist keine Property List mit Farben.",
    noPropertyListAt: (text: string) => `Die Datei ist keine Property List mit Farben: „${text}“.`,
    noJson: (why: string) => `Die Datei ist kein JSON: ${why}`,
    noScheme: "Die Datei enthält kein Farbschema von Windows Terminal.",
    unknown: (line: string) => `Die Datei ist kein Farbschema, das Patchbay kennt: „${line}“.`,
    noPaletteEntry: (value: string) => `„palette = ${value}“ hat nicht die Form palette = 0=#rrggbb.`,
    tooMany: (count: number) =>
      plural(count, {
        one: "Höchstens 1 Farbschema lässt sich importieren. Zuerst welche entfernen.",
        other: (n) => `Höchstens ${n} Farbschemata lassen sich importieren. Zuerst welche entfernen.`,
      }),
  },
};
