import { plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";
import type { invite as english } from "./invite.ts";

const rights: typeof english.rights = {
  reader: "Sieht jede Shell und tippt nichts.",
  writer: "Sieht jede Shell, öffnet Shells und bittet darum, in denen anderer zu tippen.",
  admin: "Tippt in jeder Shell, übernimmt und schließt die anderer und lässt Agenten und Plugins zu.",
};

export const invite: typeof english = {
  button: "Einladen",
  title: (session) => `In ${session} einladen`,
  session: "Sitzung",
  role: "Wen der Link hereinlässt",
  roles: { reader: "Darf zusehen", writer: "Darf tippen", owner: "Mich" },
  rights,
  about: {
    reader: `${rights.reader} Das lässt sich später ändern.`,
    writer: rights.writer,
    owner:
      "Dein Telefon oder ein anderer Rechner von dir: Es darf alles, was du darfst. Einmal, innerhalb von zehn Minuten.",
  },
  notReachable: "Andere können diesen Rechner noch nicht erreichen.",
  localOnly: "Der Link funktioniert nur in Browsern auf diesem Rechner.",
  letIn: "Andere Rechner hereinlassen…",
  way: sentence(
    "Um andere hereinzulassen, starte das Relay mit {command}; in der App geht das in den Einstellungen unter Allgemein.",
  ),
  reach: "Erreicht",
  reaches: {
    here: (host) => `nur diesen Rechner, unter ${host}`,
    network: (host) => `das gleiche Netz, unter ${host}`,
    vpn: (host) => `das gleiche VPN, unter ${host}`,
    internet: (host) => `das Internet, unter ${host}`,
    name: (host) => `alle, die ${host} finden`,
  },
  browsers: "Lässt herein",
  uses: (count) => plural(count, { one: "1 Browser", other: (n) => `${n} Browser` }),
  usesLeft: (count) => plural(count, { one: "für 1 Browser", other: (n) => `für ${n} Browser` }),
  lifetime: "Endet nach",
  copy: "Link kopieren",
  copyLocal: "Lokalen Link kopieren",
  again: "Kopiert. Noch einen kopieren",
  show: "Code zeigen",
  code: (session) => `Code eines Links zu ${session}`,
  copied: (time) => `Der Link ist in der Zwischenablage. Er endet ${time}.`,
  notCopied: (time) => `Der Browser hat den Link nicht kopiert. Kopiere ihn aus dem Feld. Er endet ${time}.`,
  link: "Der Link",
  share: "Teilen",
  shown: (time) => `Mit einem Telefon scannen. Der Link endet ${time}.`,
  open: "Offene Einladungen",
  noneOpen: "Ein Link steht hier, bis er aufgebraucht ist oder endet.",
  revoke: "Widerrufen",
  revokeOf: (role, time) => `Einladung widerrufen (${role}, bis ${time})`,
};
