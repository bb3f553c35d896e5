const LONG_NAME = "migrations of the customer database to the new schema";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const settings = {
  theme: "system",
  startAtLogin: false,
  notify: { waiting: true, ended: false, budget: true, messages: true },
  quiet: null,
};
const common = {
  address: "http://127.0.0.1:7717",
  version: "0.1.0",
  data: "/home/ann/.local/share/patchbay",
  keychainProblem: undefined,
  settings,
  paused: false,
};

/** A relay on its first day. */
export const emptyPanel = { ...common, sessions: [], costToday: 0, budgets: { day: null, session: null } };

/** A busy afternoon: three agents, one of which waits; a guest, a request, a long name. @param {Date} now */
export function filledPanel(now) {
  return {
    ...common,
    settings: { ...settings, quiet: { from: "22:00", to: "07:00" } },
    costToday: spent(now),
    budgets: { day: 5, session: null },
    sessions: [api(now), migrations(now)],
  };
}

/** @param {Date} now */
function api(now) {
  return {
    id: "Vn3k8QmZr1xT0aLp",
    name: "api server",
    self: 1,
    costToday: spent(now, "api server"),
    shells: [shell(1, "api: npm run dev"), shell(2, "tests"), shell(3, "docs")],
    clients: [
      client(1, "ann", "admin", "desktop", "desktop", ago(now, 5 * HOUR_MS), 2),
      client(4, "Jürgen Müller-Lüdenscheidt", "writer", "Firefox on Windows", "browser", ago(now, 40 * 60_000), 2),
      client(5, "田中さくら", "reader", "Safari on iPad", "browser", ago(now, 9 * 60_000), null),
    ],
    adoptRequests: [
      {
        id: 1,
        shellId: 2,
        from: { clientId: 4, name: "Jürgen Müller-Lüdenscheidt" },
        to: 1,
        expiresAt: ago(now, -60_000),
      },
    ],
    agents: [
      agent(1, "claude", "claude-sonnet-4-5", "working", ago(now, 2 * 60_000), [412_000, 18_000, 1_204_000, 2.71]),
      agent(3, "gemini", "gemini-2.5-pro", "idle", ago(now, 11 * 60_000), [96_000, 4_000, 20_000, 0.55]),
    ],
  };
}

/** @param {Date} now */
function migrations(now) {
  return {
    id: "b7Hd2WcYf9sK4eNu",
    name: LONG_NAME,
    self: 1,
    costToday: spent(now, LONG_NAME),
    shells: [shell(1, "alembic upgrade head"), shell(2, "psql")],
    clients: [client(1, "ann", "admin", "desktop", "desktop", ago(now, 3 * HOUR_MS), 1)],
    adoptRequests: [],
    agents: [agent(1, "codex", "gpt-5-codex", "waiting", ago(now, 40_000), [88_000, 9_000, 310_000, 0.92])],
  };
}

/** Usage by days of the span, as the main process answers it. @param {Date} now */
export function usage(now) {
  const models = /** @type {const} */ ([
    ["claude-sonnet-4-5", "claude", "api server", 0.387],
    ["gpt-5-codex", "codex", LONG_NAME, 0.131],
    ["gemini-2.5-pro", "gemini", "api server", 0.079],
  ]);
  /** @param {string} from @param {number} step @param {number} scale */
  const slices = (from, step, scale) =>
    models.map(([model, agentType, session, base], index) => {
      const share = base * scale * (0.55 + ((step * (index + 3)) % 7) / 7.8);
      const cost = Math.round(share * 100) / 100;
      return { from, model, agentType, session, calls: 9, input: 41_000, output: 2_000, cached: 120_000, cost };
    });
  const hours = [8, 9, 10, 11, 12, 13, 14].map((hour) => {
    const at = new Date(now.getFullYear(), now.getMonth(), now.getDate(), hour);
    return slices(at.toISOString(), hour, 1);
  });
  /** @param {number} count */
  const days = (count) =>
    Array.from({ length: count }, (_, index) => {
      const at = new Date(now.getTime() - (count - 1 - index) * DAY_MS);
      return at.getDay() === 0 ? [] : slices(localDate(at), index + 1, 6);
    });
  return { 1: hours.flat(), 7: days(7).flat(), 30: days(30).flat() };
}

/** What the chart of today sums up to, of one session or of all. @param {Date} now @param {string} [session] */
function spent(now, session) {
  const slices = usage(now)[1].filter((slice) => session === undefined || slice.session === session);
  return slices.reduce((sum, { cost }) => sum + cost, 0);
}

/** @param {Date} now */
export function keys(now) {
  return [
    { id: "a1", name: "command line", scheme: "api", createdAt: ago(now, 30 * DAY_MS), lastUsedAt: ago(now, HOUR_MS) },
    { id: "b2", name: "ci", scheme: "api", createdAt: ago(now, 3 * DAY_MS), lastUsedAt: null },
  ];
}

/** @param {number} id @param {string} title */
function shell(id, title) {
  return { id, title, running: true };
}

/**
 * @param {number} id @param {string} name @param {string} role @param {string} device @param {string} clientKind
 * @param {string} connectedAt @param {number | null} focus
 */
function client(id, name, role, device, clientKind, connectedAt, focus) {
  return { id, name, role, device, clientKind, connectedAt, focus };
}

/**
 * @param {number} shellId @param {string} agentType @param {string} model @param {string} state @param {string} since
 * @param {readonly [input: number, output: number, cached: number, cost: number]} used
 */
function agent(shellId, agentType, model, state, since, [input, output, cached, cost]) {
  const tokenUsage = { input, output, cached, cost };
  return { shellId, agentType, model, state, since, sessionId: `${agentType}-1`, tokenUsage };
}

/** @param {Date} now @param {number} ms */
function ago(now, ms) {
  return new Date(now.getTime() - ms).toISOString();
}

/** @param {Date} at */
function localDate(at) {
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
