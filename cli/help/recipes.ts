import { alignedLines } from "../parse/word-parser.ts";

/** A task, and the one command line that does it: the words after `service`. */
type Recipe = readonly [line: string, task: string];

/** The recipes of `service help recipes`. A test runs them one after the other, as printed, in one session. */
export const recipes: readonly Recipe[] = [
  ["func create-shell --cwd /tmp --title work", "make a shell in a new tile"],
  ["func run --wait 'echo built && test -d /tmp'", "run a command line, print its output, end with its exit code"],
  [
    "func create-shell --hold --title tests -- sh -c 'echo 12 passed'",
    "run a program; its output stays when it has ended",
  ],
  ["func wait-for --match title:work --text 'built' --since 0", "wait until a shell has printed a text"],
  ["func get-shell-output --match title:tests --lines 20 --plain", "print the last lines of a shell"],
  ["func list-shells --format '{id}\\t{title}\\t{cwd}'", "list shells in columns of your own"],
  ["func list-tiles --json", "list the tiles of the workspace as JSON"],
  ["func send-keys --match title:work 'sleep 60' Enter", "type into a shell"],
  ["func send-keys --match title:work C-c", "press Ctrl-C in a shell"],
  ["func wait-for --match title:work --idle 500", "wait until a shell is quiet"],
  ["func split-h --exec 'sleep 30'", "put a program beside the focused tile"],
  ["func open-tile browser --url https://example.org", "show a web page in a tile"],
  ["func create-workspace --name servers", "make a workspace"],
  ["func setup --grid 2x1 --tiles 'shell,shell'", "fill an empty workspace with tiles"],
  ["func show-tree", "see workspaces, tiles and shells as a tree"],
  ["func broadcast-input 'uname\\n'", "type into every shell at once"],
  ["func list-agents", "list the agents, their state and cost"],
  ["questions", "list what agents ask"],
  ["func notify 'Build finished' --client all", "notify the user, wherever the session is open"],
  ["func close-shell --match title:work", "end a shell"],
];

/** The text of `service help recipes`. */
export function recipesHelp(program: string): string {
  const rows = recipes.map(([line, task]): [string, string] => [task, `${program} ${line}`]);
  return `Recipes. Each line works as it is, in a Patchbay shell or with a key (${program} login).\n\n${alignedLines(rows)}\n`;
}
