import { z } from "zod";
import { languages } from "../phrases.ts";
import { type AppSettingName, parseHours, type Setting, settingText, terminalSettings } from "./settings.ts";

/** A time of day, for example `22:30`. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "expected a time of day such as 22:00" });

/** Where the relay listens from its next start on, unless the command line overrides it. */
export const ListenSettings = z.strictObject({
  /** Null: the default port. */
  port: z.int().min(1).max(65_534).nullable(),
  /** Accept other machines too, over TLS, on all addresses of this machine. */
  outside: z.boolean(),
});
export type ListenSettings = z.infer<typeof ListenSettings>;

/** The user's settings of this desktop, stored in `desktop.json` in the data folder. */
export const DesktopSettings = z.strictObject({
  theme: z.enum(["system", "dark", "light"]),
  /** In which language the app speaks; `system`: in that of the system, where it has words in it. */
  language: z.enum(["system", ...languages]).default("system"),
  startAtLogin: z.boolean(),
  /** The kinds of notifications that are shown; `messages` are those of the `notify` command. */
  notify: z.strictObject({
    waiting: z.boolean(),
    finished: z.boolean().default(true),
    failed: z.boolean().default(true),
    ended: z.boolean(),
    budget: z.boolean(),
    messages: z.boolean(),
  }),
  /** Local times between which no notifications are shown; spans midnight if `from` is later than `to`. Null: none. */
  quiet: z.strictObject({ from: TimeOfDay, to: TimeOfDay }).nullable(),
  relay: ListenSettings.default({ port: null, outside: false }),
  /** Texts of the settings of the app's terminals, by name; empty: the default. */
  terminals: z
    .record(z.string().max(100), z.string().max(200))
    .refine((texts) => Object.keys(texts).length <= terminalSettings.length)
    .default({}),
});
export type DesktopSettings = z.infer<typeof DesktopSettings>;
export type NotificationKind = keyof DesktopSettings["notify"];

interface Field {
  read(settings: DesktopSettings): string;
  write(settings: DesktopSettings, text: string): DesktopSettings;
}

/** Where `desktop.json` has each setting of the app. */
const fields: Readonly<Record<AppSettingName, Field>> = {
  startAtLogin: {
    read: ({ startAtLogin }) => settingText(startAtLogin),
    write: (now, text) => ({ ...now, startAtLogin: text === "on" }),
  },
  reach: {
    read: ({ relay }) => (relay.outside ? "outside" : "here"),
    write: (now, text) => ({ ...now, relay: { ...now.relay, outside: text === "outside" } }),
  },
  port: {
    read: ({ relay }) => settingText(relay.port ?? "default"),
    write: (now, text) => ({ ...now, relay: { ...now.relay, port: text === "default" ? null : Number(text) } }),
  },
  theme: {
    read: ({ theme }) => theme,
    write: (now, text) => ({ ...now, theme: DesktopSettings.shape.theme.parse(text) }),
  },
  language: {
    read: ({ language }) => language,
    write: (now, text) => ({ ...now, language: DesktopSettings.shape.language.parse(text) }),
  },
  notifyWaiting: notifies("waiting"),
  notifyFinished: notifies("finished"),
  notifyFailed: notifies("failed"),
  notifyEnded: notifies("ended"),
  notifyBudget: notifies("budget"),
  notifyMessages: notifies("messages"),
  quietHours: {
    read: ({ quiet }) => (quiet === null ? "off" : `${quiet.from}-${quiet.to}`),
    write: (now, text) => ({ ...now, quiet: parseHours(text) ?? null }),
  },
};
const fieldByName: ReadonlyMap<string, Field> = new Map(Object.entries(fields));

/** Returns the text of a setting of the app or of its terminals. */
export function desktopText(settings: DesktopSettings, { name, fallback }: Pick<Setting, "name" | "fallback">): string {
  const field = fieldByName.get(name);
  return field === undefined ? settings.terminals[name] || fallback : field.read(settings);
}

/** Returns the settings with the text of one of them, which is valid. */
export function withDesktopText(
  settings: DesktopSettings,
  { name }: Pick<Setting, "name">,
  text: string,
): DesktopSettings {
  const field = fieldByName.get(name);
  if (field !== undefined) return field.write(settings, text);
  return { ...settings, terminals: { ...settings.terminals, [name]: text } };
}

function notifies(kind: NotificationKind): Field {
  return {
    read: ({ notify }) => settingText(notify[kind]),
    write: (now, text) => ({ ...now, notify: { ...now.notify, [kind]: text === "on" } }),
  };
}
