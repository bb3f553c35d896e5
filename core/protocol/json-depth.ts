/** How deep lists and objects may lie in one another: parsers and writers of JSON recurse, and stacks end. */
export const jsonDepth = {
  /** In a request's body. */
  body: 64,
  /** In a client's frame, which may carry a layout of 1,024 tiles, each inside the one before. */
  frame: 2_000,
} as const;

/** Whether lists and objects lie more than `most` deep in one another. */
export function isDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (most === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, most - 1));
}
