import { plural } from "../../../core/phrases.ts";
import type { restore as english } from "./restore.ts";

export const restore: typeof english = {
  notice: (count) =>
    plural(count, {
      one: "Eine Shell ist beendet und lässt sich neu starten.",
      other: (n) => `${n} Shells sind beendet und lassen sich neu starten.`,
    }),
  show: "Zeigen, was lief…",
  later: "Nicht jetzt",
  close: "Schließen",
  title: "Neu starten, was hier lief",
  hint: "Jede Shell startet in ihrer Kachel und ihrem Ordner. Gelaufene Befehle werden nicht wiederholt.",
  all: (count) => `Alle ${count}`,
  start: (count) => plural(count, { one: "1 Shell starten", other: (n) => `${n} Shells starten` }),
  dismiss: "Nicht mehr anbieten",
  starts: (program) => `Startet ${program}.`,
  shellOnly: (program) => `Nur ${program} starten`,
  resume: (agent) => `Dieses Gespräch mit ${agent} fortsetzen`,
  startAgent: (agent) => `${agent} starten: noch wurde nichts gesagt`,
  assumed: (title) => `${title} (nur Ordner und Zeit sprechen dafür, dass es hier lief)`,
  lastPrompt: "Du:",
  lastAnswer: "Antwort:",
  leftOut: (options) => `Nicht wiederholt: ${options}`,
  folderGone: "Den Ordner gibt es nicht. Die Shell startet im nächsten Ordner darüber.",
  ran: (program) => `Darin lief ${program}.`,
  commands: "Zuletzt lief:",
  env: (variables) => `Mit den Variablen ${variables}`,
  withheld: (names) => `Ohne ${names}: Werte, die geheim sein können, werden nicht aufbewahrt.`,
  always: "Shells dieses Ordners und ihre Gespräche immer neu starten, ohne zu fragen",
  busy: "Startet…",
  started: "Gestartet.",
  resumed: "Fortgesetzt.",
  skipped: "Nicht gestartet.",
  dismissed: "Wird nicht mehr angeboten.",
};
