import { type CompletedWord, type CompletionModel, REMOTE_NAMES } from "./model.ts";

/** Completion for fish, added to what fish itself knows of `service`. */
export function fishScript({ words, commands }: CompletionModel): string {
  const lines = ["patchbay", "service"].flatMap((program) => [
    ...words.map((word) => completeWord(program, "__fish_is_nth_token 1", word)),
    ...words
      .filter(({ word }) => word !== "func")
      .flatMap((word) => completeOptions(program, `__patchbay_at 1 ${word.word}`, word)),
    ...commands.map((word) => completeWord(program, "__fish_is_nth_token 2; and __patchbay_at 1 func", word)),
    ...commands.flatMap((word) =>
      completeOptions(program, `__patchbay_at 1 func; and __patchbay_at 2 ${word.word}`, word),
    ),
  ]);
  return `# Patchbay's completion for fish: \`service completion fish | source\` in config.fish.
function __patchbay_at --argument-names place word
    set -l tokens (commandline -opc)
    set -l index (math $place + 1)
    test (count $tokens) -ge $index; and test "$tokens[$index]" = "$word"
end
function __patchbay_remotes
    set -l tokens (commandline -opc)
    command $tokens[1] remotes names 2>/dev/null
end
complete -c patchbay -f
${lines.join("\n")}
`;
}

function completeWord(program: string, when: string, { word, description }: CompletedWord): string {
  return `complete -c ${program} -f -n '${when}' -a '${word}' -d '${escapeQuotes(description)}'`;
}

function completeOptions(program: string, when: string, { options, positionals: places }: CompletedWord): string[] {
  const values = places.flat().map(dynamic);
  return [
    ...options.map(({ flag, description, takesValue, choices }) => {
      const value = takesValue ? (choices.length === 0 ? " -x" : ` -x -a '${choices.map(dynamic).join(" ")}'`) : "";
      return `complete -c ${program} -f -n '${when}' -l ${flag.slice(2)}${value} -d '${escapeQuotes(description)}'`;
    }),
    ...(values.length === 0 ? [] : [`complete -c ${program} -f -n '${when}' -a '${values.join(" ")}'`]),
  ];
}

/** fish runs what is in parentheses. */
function dynamic(choice: string): string {
  return choice === REMOTE_NAMES ? "(__patchbay_remotes)" : choice;
}

function escapeQuotes(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
}
