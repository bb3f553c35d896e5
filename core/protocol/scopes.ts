/** The scopes of a bearer token (docs/decisions/0009), each with what it allows. */
export const scopeTable = {
  "plugins:install": "install a plugin in a session of yours, or update it",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopeTable;

export const scopes = Object.keys(scopeTable) as readonly Scope[];

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopeTable, name);
}
