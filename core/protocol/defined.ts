/** An object without its undefined entries: those that may be undefined are optional, the others are there. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns an object without its undefined entries, which JSON and exact optional properties do not have. */
export function defined<T extends object>(entries: T): Defined<T>;
export function defined(entries: object): object {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}
