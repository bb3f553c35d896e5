/** What a bearer token may be good for (decisions.md §8): each scope with what it allows. The one list of them. */
export const scopeTable = {
  "plugins:install": "install a plugin in a session of yours, or update it",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopeTable;

export const scopes = Object.keys(scopeTable) as readonly Scope[];

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopeTable, name);
}
