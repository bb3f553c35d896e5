import { type CompletedOption, type CompletedWord, type CompletionModel, REMOTE_NAMES } from "./model.ts";

/**
 * Completion for zsh. After a first word that is not Patchbay's, `service` falls back to zsh's own. Where nothing is known
 * of a value, names of files are offered.
 */
export function zshScript({ words, commands }: CompletionModel): string {
  return `#compdef patchbay service
# Patchbay's completion for zsh: source it from ~/.zshrc, after compinit.
_patchbay_remotes() { compadd -- \${(f)"$(\${_patchbay_program:-patchbay} remotes names 2>/dev/null)"}; }
_patchbay() {
  local _patchbay_program=$words[1]
  local -a words_of_program commands
  words_of_program=(
${words.map(describeWord).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command words_of_program
    return
  fi
  if [[ $words[2] != func ]]; then
    case $words[2] in
${words
  .filter(({ word }) => word !== "func")
  .map((word) => branch(word, 1))
  .join("\n")}
      *) (( $+functions[_service] )) && _service ;;
    esac
    return
  fi
  commands=(
${commands.map(describeWord).join("\n")}
  )
  if (( CURRENT == 3 )); then
    _describe -t commands command commands
    return
  fi
  case $words[3] in
${commands.map((word) => branch(word, 2)).join("\n")}
  esac
}
compdef _patchbay patchbay service
`;
}

function describeWord({ word, description }: CompletedWord): string {
  return `    '${escapeSpec(word)}:${escapeSpec(description)}'`;
}

/** \`_arguments\` counts from the word that it takes for the command, so those before it are taken off. */
function branch({ word, options, positionals: places }: CompletedWord, before: number): string {
  const specs = [
    ...options.map(optionSpec),
    "'--help[show help]'",
    ...places.map((choices, index) => `'${index + 1}: :${valuesOf(choices)}'`),
    "'*: :_files'",
  ];
  return `      ${word}) shift ${before} words; (( CURRENT -= ${before} )); _arguments ${specs.join(" ")} ;;`;
}

function optionSpec({ flag, description, takesValue, choices }: CompletedOption): string {
  const values = valuesOf(choices);
  const text = escapeSpec(description).replace(/[[\]]/g, "\\\\$&");
  return `'${flag}[${text}]${takesValue ? `:value:${values}` : ""}'`;
}

/** An action of \`_arguments\`: a list, or the function that adds the names of the remotes or of files. */
function valuesOf(choices: readonly string[]): string {
  if (choices.includes(REMOTE_NAMES)) return "_patchbay_remotes";
  return choices.length === 0 ? "_files" : `(${choices.join(" ")})`;
}

function escapeSpec(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:");
}
