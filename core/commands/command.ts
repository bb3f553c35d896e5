import type { z } from "zod";
import type { Role } from "../protocol/records.ts";
import type { Touches } from "../protocol/touches.ts";
import type { CommandContext } from "./context.ts";

/** Spelling of a command on the command line. Options are derived from `params`; this type declares the exceptions. */
export interface CliForm {
  readonly name: string;
  /** Positional parameters, in order. A leading optional one may be omitted. */
  readonly args?: readonly string[];
  /** The last argument consumes all remaining words, joined by spaces: for messages, titles and command lines. */
  readonly rest?: true;
  /**
   * Parameter that receives the remaining words unchanged. If its option's value is the only input, the value is split
   * as a shell splits it; otherwise the whole value comes first, followed by all words that no other parameter consumes.
   */
  readonly tail?: string;
  /** Parameter values that this spelling sets. */
  readonly preset?: Readonly<Record<string, unknown>>;
  /** Parameters that name a file or folder. Relative paths resolve against the caller's working directory. */
  readonly paths?: readonly string[];
  /** Columns that a terminal shows first, in order of importance; others follow if there is room. */
  readonly columns?: readonly string[];
  /** Columns that a terminal never shows because another column has the same content. */
  readonly hidden?: readonly string[];
  /** Parameters whose text is JSON. */
  readonly json?: readonly string[];
  /** Name of a first argument that selects the client. */
  readonly clientArg?: string;
  /** Output format on a terminal; default: derived from the result's shape. */
  readonly print?: "json" | "tree" | "text" | "output";
  /** An argument for which a single dash stands for the standard input. */
  readonly stdin?: string;
  /** Options that the command line itself implements. */
  readonly local?: readonly LocalOption[];
  /**
   * Arguments that another parameter can replace. A word of the given form is assigned to that parameter: `signed` is a
   * number with a sign, `name` is any word that is not a number.
   */
  readonly instead?: Readonly<Record<string, Alternative>>;
  /** Overrides the command's summary where two spellings do different things. */
  readonly summary?: string;
  /** Extra help text for this spelling. */
  readonly note?: string;
  readonly examples?: readonly string[];
}

export interface Alternative {
  readonly param: string;
  /** Further parameters without which, and without this one, the argument is needed. */
  readonly also?: readonly string[];
  readonly form?: "signed" | "name";
}

/** An entry of the palette that asks for parameters. Parameters that it does not show keep their defaults. */
export interface PaletteForm<Names extends string = string> {
  /** Name of the entry and of the form, for example `Move the tile…`. */
  readonly title: string;
  /** The verb on its button. */
  readonly submit: string;
  /** The parameters that it asks for, in order. */
  readonly fields: { readonly [Name in Names]?: PaletteField };
  /** The parameter that receives the focused tile. */
  readonly focused?: Names;
  /** Values of parameters that this entry sets. */
  readonly preset?: { readonly [Name in Names]?: unknown };
}

export interface PaletteField {
  readonly label: string;
  /** One short sentence below the field. */
  readonly help?: string;
  /** The form does not accept an empty value. */
  readonly needed?: true;
  /** The value is chosen from what there is. */
  readonly pick?: "tile" | "other-tile" | "shell" | "workspace" | "plugin";
  /** What the values of an enumeration are called. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** Options implemented by the command line: read a file, follow a stream. */
export type LocalOption = "file" | "follow" | "raw";

/** The GET endpoints `remote/<name>` (docs/specification.md §4). */
export type Shortcut = "layout" | "tiles" | "workspaces" | "shells" | "users" | "agents" | "chat" | "tunnels";

export type Area =
  | "layout"
  | "tabs"
  | "workspaces"
  | "shells"
  | "session"
  | "chat"
  | "agents"
  | "notifications"
  | "plugins";

export interface CommandSpec<P extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> {
  readonly area: Area;
  readonly summary: string;
  /** Further documentation: rules, edge cases. */
  readonly details?: string;
  readonly params: P;
  readonly result: R;
  /** Minimum role of the executing client; `reader` means that the command changes nothing, as `readsOnly` does. */
  readonly role: Role;
  /** `client`: acts on one client's own layout, workspace or focus. `session`: any client can execute it. */
  readonly scope: "client" | "session";
  /**
   * Whether it reads or changes the layout of the executing client, or shows something there; default: by the scope
   * `client`. What needs no screen is executed by the relay where no client of the session's owner can
   * (docs/decisions/0002).
   */
  readonly onScreen?: boolean;
  /**
   * What the command changes; absent for commands that only read. Without it, a changing command is closed to restricted
   * callers.
   */
  readonly touches?: Touches<Extract<keyof P["shape"], string>>;
  /** It changes nothing, although it needs a higher role than `reader`. */
  readonly readsOnly?: true;
  /** Programs call it often: in the audit log, repetitions by one caller within a minute are one entry. */
  readonly frequent?: true;
  /** Parameters that may contain secrets: the audit log stores only their length. */
  readonly sensitive?: readonly Extract<keyof P["shape"], string>[];
  /**
   * What of the session the result reveals, in words that complete "it reads …", for the user who decides whether a plugin
   * may call the command.
   */
  readonly reads?: string;
  /** Closed to plugins: the command manages plugins or answers for the user. */
  readonly closedToPlugins?: true;
  /**
   * Closed to keys for automation: it makes or changes rights that outlast the call, of which a program must not decide its
   * own.
   */
  readonly closedToAutomation?: true;
  /** Closed to restricted callers and to all agents: the command changes the rights of restricted callers. */
  readonly decidesRights?: true;
  readonly cli: readonly CliForm[];
  readonly shortcut?: Shortcut;
  /** How the palette asks for the command's parameters; absent where it offers the command without them, or not at all. */
  readonly palette?: readonly PaletteForm<Extract<keyof P["shape"], string>>[];
  /** The parameter `timeout` (seconds) replaces the command timeout. */
  readonly ownTimeout?: true;
  /** The command rejects a target client. */
  readonly untargeted?: true;
  /** The target client may be `all`: every client of the caller's own user, with a result for each. */
  readonly toAll?: true;
  /** The panel may call it. */
  readonly panel?: true;
}

/** Returns whether a command only reads. A message to users, such as a toast, is more than that. */
export function readsOnly({ role, touches, readsOnly: declared }: CommandSpec): boolean {
  return touches === undefined && (role === "reader" || declared === true);
}

/** Returns whether a call waits for something that may take as long as its caller likes. */
export function waits({ ownTimeout, params: { shape } }: CommandSpec, given: object): boolean {
  return ownTimeout === true && (!("wait" in shape) || ("wait" in given && given.wait === true));
}

/** A command that only the relay can execute: it has no `run`, and clients ask the relay for it by its name. */
export interface RelayCommand<P extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType>
  extends CommandSpec<P, R> {
  readonly run?: undefined;
}

export interface Command<P extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType>
  extends CommandSpec<P, R> {
  run(context: CommandContext, params: z.output<P>): z.input<R> | Promise<z.input<R>>;
}

/** A command in the list, without its parameter and result types. */
export interface AnyCommand extends CommandSpec {
  readonly run?: ((context: CommandContext, params: never) => unknown) | undefined;
}

/** Declares a command. Returns the declaration unchanged, with its types inferred. */
export function command<P extends z.ZodObject, R extends z.ZodType>(declaration: Command<P, R>): Command<P, R> {
  return declaration;
}

/** Declares a command that only the relay can execute. */
export function relayCommand<P extends z.ZodObject, R extends z.ZodType>(
  declaration: CommandSpec<P, R>,
): RelayCommand<P, R> {
  return declaration;
}
