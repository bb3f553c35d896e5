import { z } from "zod";
import { type MethodName, methodNames, specs } from "../commands/specs.ts";
import { nearestName } from "../protocol/nearest.ts";
import { shownName } from "../protocol/shown-name.ts";

/** Permissions, or events, of one manifest. */
export const MOST_IN_LIST = 100;

/** Name of a plugin, unique in a session and safe in a path. */
export const PluginId = z.string().refine((id) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(id), {
  error: "expected 1 to 64 of a-z, 0-9, dot, underscore and hyphen, with a letter or a digit first",
});

/** A file at or below the manifest's folder, written so that it can be nothing else, however it is decoded. */
const PathBesideManifest = z.string().refine((path) => path.length <= 200 && path.split("/").every(isPlainSegment), {
  error: "expected a path beside the manifest such as index.html, without .., of letters, digits and . _ - only",
});

const Permission = z.string().refine((method) => (methodNames as readonly string[]).includes(method), {
  error: ({ input }) => `no such method: ${shown(input)}${offer(String(input))}`,
});

/** Methods that decide over plugins or for the user are for no plugin. */
const OpenPermission = Permission.refine(
  (method) => !(Object.hasOwn(specs, method) && specs[method as MethodName].closedToPlugins === true),
  {
    error: "no plugin may call this method",
  },
);

const oneLine = (most: number) =>
  z.string().refine((text) => text.length <= most && !/[\p{Cc}\p{Bidi_C}]/u.test(text), {
    error: `expected one line of at most ${most} characters without control characters`,
  });

/** As `oneLine`, cleaned as every name is that another party chose. */
const shownLine = (most: number) =>
  oneLine(most).transform((text) => shownName(text, { longest: most, otherwise: "" }));

/** A plugin's manifest (docs/decisions/0010). */
export const Manifest = z.object({
  id: PluginId,
  name: shownLine(80).refine((name) => name !== "", { error: "expected a name" }),
  version: z.string().refine((version) => version.length <= 64 && SEMVER.test(version), {
    error: "expected a version such as 1.2.0",
  }),
  description: shownLine(500).default(""),
  /** The page that the plugin's frame shows. */
  entry: PathBesideManifest,
  /** Methods that it asks to call; the user allows them, or not. */
  permissions: z.array(OpenPermission).max(MOST_IN_LIST).default([]).transform(distinct),
  /** Types of broadcast events that it wants to receive. */
  events: z
    .array(oneLine(200).refine((type) => type !== "", { error: "expected the type of an event" }))
    .max(MOST_IN_LIST)
    .default([])
    .transform(distinct),
  icon: PathBesideManifest.optional(),
});
export type Manifest = z.infer<typeof Manifest>;

const SEMVER = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

function isPlainSegment(segment: string): boolean {
  return /^[A-Za-z0-9._-]+$/.test(segment) && segment !== "." && segment !== "..";
}

function offer(method: string): string {
  const known = nearestName(method, methodNames);
  return known === undefined ? "" : `; did you mean ${known}?`;
}

function shown(input: unknown): string {
  return JSON.stringify(String(input).slice(0, 60));
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
