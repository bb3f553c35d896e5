import { sentence } from "../ui/sentence.ts";

export const words = {
  door: {
    rights: {
      admin: "Du kannst in ihren Shells tippen und sie verwalten.",
      writer: "Du kannst ihren Shells zusehen, eigene öffnen und darum bitten, in anderen zu tippen.",
      reader: "Du kannst ihren Shells zusehen.",
    },
    wait: "Warten auf das Relay der Sitzung",
    waitReason: (reason: string) => `${reason} Die Sitzung öffnet sich hier, sobald es antwortet.`,
    noAccess: "Kein Zugang zu dieser Sitzung",
    invited: sentence("{owner} lädt dich in diese Terminalsitzung ein. {rights}"),
    joinNamed: (session: string) => `„${session}“ beitreten`,
    name: "Dein Name (freiwillig)",
    nameHint: "Andere sehen ihn, als den eines Gasts gekennzeichnet.",
    join: "Der Sitzung beitreten",
    key: "Oder mit einem API-Schlüssel öffnen",
    keyHint:
      "Des Relays, das die Sitzung bereitstellt, mit allen Rechten. Er wird behalten, bis dieser Tab geschlossen wird.",
    open: "Sitzung öffnen",
  },
  access: {
    noInvite:
      "Dieser Browser hat keinen Zugang zur Sitzung. Wer sie besitzt, kann einen Einladungslink erstellen, der sie öffnet.",
    unreachable: "Das Relay ist nicht erreichbar. Das Netzwerk prüfen und erneut versuchen.",
    noLonger:
      "Du hast keinen Zugang zu dieser Sitzung mehr. Wer sie besitzt, kann einen neuen Einladungslink erstellen.",
    noTunnels: "Tunnel öffnen sich in einem Browser, der über einen Einladungslink beigetreten ist, und in der App.",
    away: (relay: string) => `Das Relay ${relay} ist nicht da.`,
    noPage: "Die Seite, die dieses Fenster geöffnet hat, wird geladen.",
    noRelay: "Das Relay ist nicht erreichbar.",
  },
  following: {
    again: "Wieder folgen",
    left: (name: string) => `Diese Anordnung gehört jetzt dir: Du folgst ${name} nicht mehr.`,
  },
  notifications: {
    allow: "Benachrichtigungen erlauben",
  },
};
