import { type CompletedWord, type CompletionModel, REMOTE_NAMES } from "./model.ts";

/**
 * Completion for fish, added to what fish itself knows of `service`. Where nothing is known of a value, names of files are
 * offered.
 */
export function fishScript({ words, commands }: CompletionModel): string {
  const lines = ["patchbay", "service"].flatMap((program) => [
    ...words.map((word) => completeWord(program, "__fish_is_nth_token 1", word)),
    ...words
      .filter(({ word }) => word !== "func")
      .flatMap((word) => completeOptions(program, `__patchbay_at 1 ${word.word}`, { word, before: 2 })),
    ...commands.map((word) => completeWord(program, "__fish_is_nth_token 2; and __patchbay_at 1 func", word)),
    ...commands.flatMap((word) =>
      completeOptions(program, `__patchbay_at 1 func; and __patchbay_at 2 ${word.word}`, { word, before: 3 }),
    ),
  ]);
  return `# Patchbay's completion for fish: \`service completion fish | source\` in config.fish.
function __patchbay_at --argument-names place word
    set -l tokens (commandline -opc)
    set -l index (math $place + 1)
    test (count $tokens) -ge $index; and test "$tokens[$index]" = "$word"
end
function __patchbay_after --argument-names words
    set -l tokens (commandline -opc)
    test (count $tokens) -ge $words
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

/** @param before words of the line up to the arguments of this word */
function completeOptions(
  program: string,
  when: string,
  { word: { options, positionals: places }, before }: { readonly word: CompletedWord; readonly before: number },
): string[] {
  const values = places.flat().map(dynamic);
  const unknown = places.findIndex((choices) => choices.length === 0);
  const known = unknown === -1 ? places.length : unknown;
  return [
    ...options.map(({ flag, description, takesValue, choices }) => {
      const isFile = takesValue && choices.length === 0;
      const value = takesValue && !isFile ? ` -x -a '${choices.map(dynamic).join(" ")}'` : "";
      const text = escapeQuotes(description);
      return `complete -c ${program} ${isFile ? "-r -F" : "-f"} -n '${when}' -l ${flag.slice(2)}${value} -d '${text}'`;
    }),
    ...(values.length === 0 ? [] : [`complete -c ${program} -f -n '${when}' -a '${values.join(" ")}'`]),
    `complete -c ${program} -F -n '${when}; and __patchbay_after ${before + known}'`,
  ];
}

/** fish runs what is in parentheses. */
function dynamic(choice: string): string {
  return choice === REMOTE_NAMES ? "(__patchbay_remotes)" : choice;
}

function escapeQuotes(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
}
