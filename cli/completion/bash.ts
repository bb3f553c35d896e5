import type { CompletedWord, CompletionModel } from "./model.ts";

/**
 * Completion for bash. After a first word that is not Patchbay's, `service` completes the system's services. Where nothing
 * is known of a value, names of files are offered.
 */
export function bashScript({ words, commands }: CompletionModel): string {
  return `# Patchbay's completion for bash: source it from ~/.bashrc.
_patchbay_remotes() { "\${COMP_WORDS[0]}" remotes names 2>/dev/null; }
_patchbay() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} name= place=-1 first=1 takes='' places='' i
  local options='' choices=''
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    local more=
    [[ \${COMP_WORDS[0]##*/} == service && -d /etc/init.d ]] && more=$(command ls /etc/init.d)
    COMPREPLY=( $(compgen -W "${wordList(words)} --help --version $more" -- "$cur") )
    return
  fi
  [[ \${COMP_WORDS[1]} == func ]] && first=2
  if [[ $first == 2 ]]; then
    for (( i = 2; i < COMP_CWORD; i++ )); do
      [[ \${COMP_WORDS[i]} != -* ]] && { name=\${COMP_WORDS[i]}; first=$i; break; }
    done
    [[ -z $name ]] && { COMPREPLY=( $(compgen -W "${wordList(commands)}" -- "$cur") ); return; }
    case $name in
${commands.map(branch).join("\n")}
    esac
  else
    name=\${COMP_WORDS[1]}
    case $name in
${words
  .filter(({ word }) => word !== "func")
  .map(branch)
  .join("\n")}
    esac
  fi
  case "$prev" in -*) case " $takes " in *" $prev "*)
    choices=" $choices "
    choices=\${choices##* $prev:}
    [[ $choices == *';'* ]] && COMPREPLY=( $(compgen -W "\${choices%%;*}" -- "$cur") )
    return ;;
  esac ;; esac
  if [[ $cur == -* ]]; then
    COMPREPLY=( $(compgen -W "$options --help" -- "$cur") )
    return
  fi
  place=0
  for (( i = first + 1; i < COMP_CWORD; i++ )); do
    case " $takes " in *" \${COMP_WORDS[i]} "*) (( i++ )); continue ;; esac
    [[ \${COMP_WORDS[i]} != -* ]] && (( place++ ))
  done
  local IFS='|'
  local -a lists=( $places )
  IFS=$' \\t\\n'
  COMPREPLY=( $(compgen -W "\${lists[place]}" -- "$cur") )
}
complete -o default -F _patchbay patchbay service
`;
}

/** Sets, for one word: all options, those with a value, the values of those that have choices, those of each place. */
function branch({ word, options, positionals: places }: CompletedWord): string {
  const takes = options.filter((option) => option.takesValue).map((option) => option.flag);
  const choices = options
    .filter((option) => option.choices.length > 0)
    .map((option) => `${option.flag}:${option.choices.join(" ")};`);
  const all = options.map((option) => option.flag);
  return `    ${word})
      options='${all.join(" ")}'; takes='${takes.join(" ")}'
      choices='${choices.join(" ")}'; places='${places.map((place) => place.join(" ")).join("|")}' ;;`;
}

function wordList(words: readonly CompletedWord[]): string {
  return words.map(({ word }) => word).join(" ");
}
