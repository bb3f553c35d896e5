/**
 * The sources that StrykerJS mutates, by the name of an area. One is measured each night.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const AREAS = {
  budgets: ["main/relay/budgets/**/*.ts"],
  audit: ["main/relay/audit/**/*.ts", "main/relay/store/audit-*.ts"],
  accounting: [
    "main/agents/{ledger,session-account,accounts,quotas,pricing,price-list,price-overrides,usage-store}.ts",
  ],
  sends: ["main/relay/sends/**/*.ts"],
  questions: ["main/relay/questions/**/*.ts"],
  fleet: ["main/relay/fleet/**/*.ts"],
  http: ["main/relay/http/**/*.ts"],
  tunnels: ["main/relay/tunnels/**/*.ts"],
  client: ["client/**/*.ts"],
  "command-line": ["cli/connect/**/*.ts", "cli/parse/**/*.ts", "cli/render/**/*.ts"],
  cards: ["renderer/tray/**/*.tsx"],
};

const DAY_MS = 24 * 3600 * 1000;

/**
 * Returns the area of a night, so that each has its turn.
 * @param {Date} night
 */
export function areaOf(night) {
  const names = Object.keys(AREAS);
  return names[Math.floor(night.getTime() / DAY_MS) % names.length] ?? "";
}

/**
 * Returns the patterns of the sources to mutate: those of an area, or of a folder or file.
 * @param {string} wanted
 */
export function patternsOf(wanted) {
  return AREAS[wanted] ?? [/\.[a-z]+$/.test(wanted) ? wanted : `${wanted.replace(/\/$/, "")}/**/*.{ts,tsx}`];
}
