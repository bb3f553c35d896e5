/** Maximum nesting depth of JSON: parsers and serializers recurse and could overflow the stack. */
export const jsonDepth = {
  /** In a request's body. */
  body: 64,
  /** In a client's frame, which may contain a layout of 1,024 nested tiles. */
  frame: 2_000,
} as const;

/** Reports whether lists and objects are nested deeper than `limit`. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, limit - 1));
}
