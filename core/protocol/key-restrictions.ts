import { z } from "zod";

/** How far a key reaches. What is absent does not restrict it. */
export const KeyRestrictions = z.strictObject({
  /** It only reads. */
  readOnly: z.literal(true).optional(),
  /** It changes only shells that were made with it, and their tiles. */
  ownShells: z.literal(true).optional(),
  /** It calls only what fits one of these patterns; see `method-pattern.ts`. */
  methods: z.array(z.string().min(1).max(100)).max(100).optional(),
});
export type KeyRestrictions = z.infer<typeof KeyRestrictions>;

/** Restrictions as they were stored; what cannot be read closes the key rather than opening it. */
export function storedRestrictions(value: unknown): KeyRestrictions {
  const parsed = KeyRestrictions.safeParse(value);
  return parsed.success ? parsed.data : { methods: [] };
}

/** In words for people: `read-only, own shells, methods get* list*`; "" where nothing is restricted. */
export function describeRestrictions({ readOnly, ownShells, methods }: KeyRestrictions): string {
  const words = [readOnly && "read-only", ownShells && "own shells", methods && `methods ${methods.join(" ")}`.trim()];
  return words.filter((word) => word !== undefined).join(", ");
}
