import type { z } from "zod";
import type { Role } from "../protocol/records.ts";
import type { Touches } from "../protocol/touches.ts";
import type { CommandContext, Delegated } from "./context.ts";

/** How a command is spelled on the command line. Options follow from `params`; what is special is said here. */
export interface CliForm {
  readonly name: string;
  /** Parameters that are given by position; a leading optional one may be left out. */
  readonly args?: readonly string[];
  /** The last argument takes all remaining words, joined by a space: for messages, titles and command lines. */
  readonly rest?: true;
  /**
   * Parameter that takes the remaining words, each as it is: of its option's value alone, split as a shell splits it;
   * else that value, whole, and all words that no other place takes.
   */
  readonly tail?: string;
  /** Parameters that this spelling fixes. */
  readonly preset?: Readonly<Record<string, unknown>>;
  /** Parameters that name a file or folder: relative ones are meant from where the caller stands. */
  readonly paths?: readonly string[];
  /** The columns that a terminal shows first, the most important first; the others follow where there is room. */
  readonly columns?: readonly string[];
  /** Columns that a terminal never shows, because another one says the same. */
  readonly hidden?: readonly string[];
  /** Parameters whose text is JSON. */
  readonly json?: readonly string[];
  /** A first argument of this name chooses the client. */
  readonly clientArg?: string;
  /** How a terminal shows the result; default: by its shape. */
  readonly print?: "json" | "tree" | "text" | "output";
  /** Options of the command line alone, which are carried out there; see `cli/local-options.ts`. */
  readonly local?: readonly LocalOption[];
  /**
   * Arguments that are needed unless that other parameter is given; a word of the form named goes to it: a share with a
   * sign, or what is no number.
   */
  readonly instead?: Readonly<Record<string, Instead>>;
  /** Differs from the command's own summary where two spellings do different things. */
  readonly summary?: string;
  /** What only this spelling's help has to say. */
  readonly note?: string;
  readonly examples?: readonly string[];
}

export interface Instead {
  readonly param: string;
  readonly form?: "signed" | "name";
}

/** What the command line does by itself: reads a file, follows a stream. */
export type LocalOption = "file" | "follow";

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
  /** More for the documentation: rules, edge cases. */
  readonly details?: string;
  readonly params: P;
  readonly result: R;
  /** The least role that the executing client must have; `reader` means that nothing is changed. */
  readonly role: Role;
  /** `client`: acts on one client's own layout, workspace, focus, …; `session`: any one client may execute it. */
  readonly scope: "client" | "session";
  /**
   * What it changes; absent where it only reads. A changing command that does not say so is closed to callers who may
   * change only what is their own.
   */
  readonly touches?: Touches<Extract<keyof P["shape"], string>>;
  /** Parameters that may hold secrets: the audit log keeps their length only. */
  readonly sensitive?: readonly Extract<keyof P["shape"], string>[];
  /** No plugin may ask for it: it decides over plugins, or for the user. */
  readonly closedToPlugins?: true;
  /** It decides what restricted callers may do: closed to each of them, and to agents, allowed ones too. */
  readonly decidesRights?: true;
  readonly cli: readonly CliForm[];
  readonly shortcut?: Shortcut;
  /** The command carries its own timeout, in its parameter `timeout` (seconds), in place of the command timeout. */
  readonly ownTimeout?: true;
  /** No single client may be its target. */
  readonly untargeted?: true;
}

export interface Command<P extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType>
  extends CommandSpec<P, R> {
  run(context: CommandContext, params: z.output<P>): Answer<z.input<R>> | Promise<Answer<z.input<R>>>;
}

type Answer<T> = T | Delegated;

/** A command as the list holds it: its types of parameters and result are known to its own file only. */
export interface AnyCommand extends CommandSpec {
  run(context: CommandContext, params: never): unknown;
}

/** Declares a command: gives its parts their types, and nothing else. */
export function command<P extends z.ZodObject, R extends z.ZodType>(declaration: Command<P, R>): Command<P, R> {
  return declaration;
}
