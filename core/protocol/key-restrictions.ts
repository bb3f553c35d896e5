import { z } from "zod";

/** Restrictions of an API key. Absent fields do not restrict it. */
export const KeyRestrictions = z.strictObject({
  /** The key can only read. */
  readOnly: z.literal(true).optional(),
  /** The key can change only shells created with it, and their tiles. */
  ownShells: z.literal(true).optional(),
  /** The key can call only methods that match one of these patterns; see `method-pattern.ts`. */
  methods: z.array(z.string().min(1).max(100)).max(100).optional(),
  /** The key is a program's: what it types into shells is guarded (docs/sends.md). */
  automation: z.literal(true).optional(),
  /** Secrets are hidden in all that the key reads (docs/history.md). */
  secrets: z.literal("hide").optional(),
});
export type KeyRestrictions = z.infer<typeof KeyRestrictions>;

/** Parses stored restrictions. Fails closed: unreadable restrictions allow no methods. */
export function parseStoredRestrictions(value: unknown): KeyRestrictions {
  const parsed = KeyRestrictions.safeParse(value);
  return parsed.success ? parsed.data : { methods: [] };
}

/** In words for people: `read-only, own shells, methods get* list*`; "" where nothing is restricted. */
export function describeRestrictions({ readOnly, ownShells, automation, methods, secrets }: KeyRestrictions): string {
  const words = [
    readOnly && "read-only",
    ownShells && "own shells",
    methods && `methods ${methods.join(" ")}`.trim(),
    automation && "automation",
    secrets && "secrets hidden",
  ];
  return words.filter((word) => word !== undefined).join(", ");
}
