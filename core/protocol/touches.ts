/**
 * What a command or an operation of the relay changes, for callers who may change only what is their own: the programs
 * in a shell, and keys for own shells.
 *
 * - `messages`: nothing of anybody's; it says something, to people or to programs.
 * - `new`: it only adds a shell or a tile, which belongs to its maker from then on.
 * - `workspace`: the workspace on show, with all tiles in it.
 * - `screen`: a person's screen as a whole, or what a person decides, plugins among it; nobody's own.
 * - else the things that its parameters name.
 */
export type Touches<Name extends string = string> =
  | "messages"
  | "new"
  | "workspace"
  | "screen"
  | {
      /** Parameter with the id of a shell; default: the shell that the caller sits in. */
      readonly shell?: Name;
      /** Parameter with the key of a tile whose shell is changed; default: the shell that the caller sits in. */
      readonly shellIn?: Name;
      /** Parameter with the key of a tile; default: the tile of the shell that the caller sits in, else the focused one. */
      readonly tile?: Name;
      /** More parameters with keys of tiles; one that is left out names none. */
      readonly tiles?: readonly Name[];
      /** Parameter with the index of a workspace; default: the one on show. */
      readonly workspace?: Name;
      /** Parameter with the name of a workspace, which such callers cannot use: a name may come to mean another one. */
      readonly workspaceName?: Name;
    };
