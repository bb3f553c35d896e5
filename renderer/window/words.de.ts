export const words = {
  title: (session: string, machine: string) => `${session} auf ${machine} – Patchbay`,
  otherPort: (port: number, machine: string) => `Port ${port} ist auf ${machine} offen, nicht auf diesem Rechner.`,
  away: (machine: string) => `${machine} ist nicht da.`,
  awaySince: (machine: string, time: string) => `${machine} ist seit ${time} nicht da.`,
  door: {
    opening: (session: string, machine: string) => `„${session}“ auf ${machine} wird geöffnet`,
    waiting: (machine: string) => `Warten auf ${machine}`,
    opensThen: (session: string, machine: string) =>
      `Die Sitzung „${session}“ öffnet sich hier, sobald ${machine} antwortet.`,
    lastHeard: (time: string) => `Zuletzt gehört um ${time}.`,
    lastHeardAgo: (time: string, ago: string) => `Zuletzt gehört um ${time}, vor ${ago}.`,
    tryNow: "Jetzt versuchen",
    noAccess: (session: string, machine: string) => `Kein Zugang zu „${session}“ auf ${machine}`,
    enterKey: "Anderen Schlüssel eingeben",
    tryAgain: "Erneut versuchen",
  },
};
