import { ordinaryPanel, remotes } from "./panel-scenes.mjs";

/** Length of the long names, which have no place to break. */
const LENGTH = 120;

/** A day that has cost more than its budget, which the relay asks about in the agent's shell. @param {Date} now */
export function overBudgetPanel(now) {
  const panel = ordinaryPanel(now);
  const [first, ...others] = panel.sessions;
  const [asked] = first?.questions ?? [];
  if (first === undefined || asked === undefined) throw new Error("The scene has a session with a question.");
  const question = {
    ...asked,
    ...{ kind: "choice", source: "governor", rule: "budget/day", detail: {}, acceptsText: false },
    title: "Today's budget is spent",
    text: "Today's budget is spent: $3.87 of $3.00. Automated input is held until this is answered; what you type is not.",
    options: [
      { id: "more", label: "Allow 5 dollars more", key: "m" },
      { id: "stop", label: "Stop the turn", key: "s" },
      { id: "run", label: "Let it run", key: "r" },
    ],
    risk: { level: "medium", reasons: ["spends money"] },
  };
  return {
    ...panel,
    // What the chart of the scene sums up to.
    budgets: { day: 3, session: null },
    sessions: [{ ...first, questions: [question] }, ...others],
  };
}

/** The ordinary day with names without spaces: of a session, shells, a person and an agent's task. @param {Date} now */
export function longNamesPanel(now) {
  const panel = ordinaryPanel(now);
  const [first, ...others] = panel.sessions;
  const [agent, ...agents] = first?.agents ?? [];
  if (first === undefined || agent === undefined) throw new Error("The scene has a session with an agent.");
  const since = new Date(now.getTime() - 90_000).toISOString();
  const told = { title: long("task"), message: long("message"), progress: 40 };
  const task = { id: "build/test", state: "working", since, ...told };
  return {
    ...panel,
    sessions: [
      {
        ...first,
        name: long("session"),
        shells: first.shells.map((shell) => ({ ...shell, name: long(`shell-${shell.id}`) })),
        clients: first.clients.map((client) => (client.id === 1 ? client : { ...client, name: long("person") })),
        agents: [{ ...agent, tasks: [task] }, ...agents],
      },
      ...others,
    ],
  };
}

/** The other machines with such names, and the sessions on them. @param {Date} now */
export function longNamesRemotes(now) {
  return remotes(now).map((one) => ({
    ...one,
    machine: long(`machine-${one.machine}`),
    sessions: one.sessions.map((session) => ({ ...session, name: long(`session-${session.id}`) })),
  }));
}

/** @param {string} what */
function long(what) {
  return `${what}-${"quarterly-migration_of.every-customer-database-".repeat(3)}`.slice(0, LENGTH);
}
