import { alignedLines } from "../parse/word-parser.ts";

/** A task, and the one command line that does it. */
type Recipe = readonly [line: string, task: string];

/**
 * Returns the recipes of `service help recipes`, to be run one after the other in one shell: the first line keeps the tile
 * that the second names. In a Patchbay shell, `run --wait` without a tile would mean the shell that is busy with it.
 */
export function recipes(program: string): readonly Recipe[] {
  return [
    [`tile=$(${program} func create-shell --cwd /tmp --title work --format '{key}')`, "make a shell in a new tile"],
    [
      `${program} func run --wait --tile "$tile" 'echo built && test -d /tmp'`,
      "run a command line, print its output, end with its exit code",
    ],
    [
      `${program} func create-shell --hold --title tests -- sh -c 'echo 12 passed'`,
      "run a program; its output stays when it has ended",
    ],
    [`${program} func wait-for --match title:work --text 'built' --since 0`, "wait until a shell has printed a text"],
    [`${program} func get-shell-output --match title:tests --lines 20 --plain`, "print the last lines of a shell"],
    [`${program} func list-shells --format '{id}\\t{title}\\t{cwd}'`, "list shells in columns of your own"],
    [`${program} func list-tiles --json`, "list the tiles of the workspace as JSON"],
    [`${program} func send-keys --match title:work 'sleep 60' Enter`, "type into a shell"],
    [`${program} func send-keys --match title:work C-c`, "press Ctrl-C in a shell"],
    [`${program} func wait-for --match title:work --idle 500`, "wait until a shell is quiet"],
    [`${program} func split-h --exec 'sleep 30'`, "split a tile, and run a program in the new one"],
    [`${program} func open-tile browser --url https://example.org`, "show a web page in a tile"],
    [`${program} func create-workspace --name servers`, "make a workspace"],
    [`${program} func setup --grid 2x1 --tiles 'shell,shell'`, "fill an empty workspace with tiles"],
    [`${program} func show-tree`, "see workspaces, tiles and shells as a tree"],
    [`${program} func broadcast-input 'uname\\n'`, "type into every shell at once"],
    [`${program} func list-agents`, "list the agents, their state and cost"],
    [`${program} questions`, "list what agents ask"],
    [`${program} func notify 'Build finished' --client all`, "notify the user, wherever the session is open"],
    [`${program} func close-shell --match title:work`, "end a shell"],
  ];
}

/** The text of `service help recipes`. */
export function recipesHelp(program: string): string {
  const rows = recipes(program).map(([line, task]): [string, string] => [task, line]);
  return `Recipes, in a Patchbay shell or with a key (${program} login). The first line makes the shell that others use.\n\n${alignedLines(rows)}\n`;
}
