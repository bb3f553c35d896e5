/**
 * What a command or relay operation changes. Restricted callers (programs in a restricted shell, keys limited to their
 * own shells) can change only what they own.
 *
 * - `messages`: nothing; it only sends a message to users or programs.
 * - `new`: it only adds a shell or a tile, which its creator then owns.
 * - `workspace`: the active workspace with all its tiles.
 * - `screen`: the user's screen as a whole, plugins, or a decision of the user; never owned by a restricted caller.
 * - an object: the resources that these parameters name.
 */
export type Touches<Name extends string = string> =
  | "messages"
  | "new"
  | "workspace"
  | "screen"
  | {
      /** Parameter with the id of a shell; default: the shell that the caller runs in. */
      readonly shell?: Name;
      /** Parameter with the key of a tile whose shell is changed; default: the shell that the caller runs in. */
      readonly shellIn?: Name;
      /** Parameter with the key of a tile; default: the tile of the shell that the caller runs in, else the focused one. */
      readonly tile?: Name;
      /** Further parameters with tile keys; an omitted one names no tile. */
      readonly tiles?: readonly Name[];
      /** Parameter with the index of a workspace; default: the active one. */
      readonly workspace?: Name;
      /** Parameter with the name of a workspace. Restricted callers cannot use it: another workspace may take the name. */
      readonly workspaceName?: Name;
    };
