import { z } from "zod";

/** A time of day, for example `22:30`. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

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
});
export type DesktopSettings = z.infer<typeof DesktopSettings>;
export type NotificationKind = keyof DesktopSettings["notify"];
