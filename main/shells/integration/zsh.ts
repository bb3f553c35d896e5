/**
 * Start-up files for zsh, found through ZDOTDIR. Each gives the user's ZDOTDIR back, runs the user's file of the same
 * name, and takes it away again until the last one. Hooks: D first in precmd, A last, B at the end of PS1, C last in
 * preexec. zsh prints the marker of an unfinished line before precmd, so that is done here instead, after the D mark.
 */
export function zshIntegration(): Readonly<Record<string, string>> {
  return {
    ".zshenv": userFile(".zshenv"),
    ".zprofile": userFile(".zprofile"),
    ".zshrc": `${userFile(".zshrc")}
[[ -o login ]] || __patchbay_install
`,
    ".zlogin": `${userFile(".zlogin")}
__patchbay_install
`,
  };
}

function userFile(name: string): string {
  const start = name === ".zshenv" ? functions : "";
  return `# Patchbay shell integration for zsh. Written anew at each start; changes are lost.
${start}__patchbay_give_back
if [[ -r \${ZDOTDIR:-$HOME}/${name} ]]; then
  builtin source "\${ZDOTDIR:-$HOME}/${name}"
fi
__patchbay_take
`;
}

const functions = String.raw`typeset -g __patchbay_nonce="$PATCHBAY_NONCE" __patchbay_dot="$ZDOTDIR" __patchbay_user_dot="$PATCHBAY_ZDOTDIR"
typeset -g __patchbay_told= __patchbay_mark_lines= __patchbay_pwd= __patchbay_cwd=
typeset -g __patchbay_b=$'%{\e]133;B\a%}'
unset PATCHBAY_NONCE PATCHBAY_ZDOTDIR

__patchbay_give_back() {
  if [[ "$HISTFILE" == "$__patchbay_dot/.zsh_history" ]]; then
    HISTFILE="${"$"}{__patchbay_user_dot:-$HOME}/.zsh_history"
  fi
  if [[ -n "$__patchbay_user_dot" ]]; then ZDOTDIR="$__patchbay_user_dot"; else unset ZDOTDIR; fi
}

__patchbay_take() {
  __patchbay_user_dot="${"$"}{ZDOTDIR-}"
  ZDOTDIR="$__patchbay_dot"
}

__patchbay_encode() {
  [[ "$PWD" == "$__patchbay_pwd" ]] && return 0
  __patchbay_pwd="$PWD"
  emulate -L zsh
  setopt no_multibyte extended_glob
  local LC_ALL=C out= character i
  if [[ "$PWD" == *[^a-zA-Z0-9/._~-]* ]]; then
    for ((i = 1; i <= $#PWD; i++)); do
      character="$PWD[i]"
      if [[ "$character" == [a-zA-Z0-9/._~-] ]]; then
        out+="$character"
      else
        out+="%${"$"}{(l:2::0:)$(([##16]#character))}"
      fi
    done
  else
    out="$PWD"
  fi
  __patchbay_cwd="$out"
}

__patchbay_end() {
  local code=$?
  [[ -n "$__patchbay_told" ]] && return $code
  __patchbay_told=1
  __patchbay_encode
  builtin print -rn -- $'\e]133;D;'"$code;patchbay=$__patchbay_nonce;cwd=$__patchbay_cwd"$'\a\e]7;file://'"$__patchbay_cwd"$'\a' >$TTY
  [[ -n "$__patchbay_mark_lines" ]] && __patchbay_finish_line
  return $code
}

__patchbay_finish_line() {
  emulate -L zsh
  local mark="${"$"}{PROMPT_EOL_MARK-%B%S%#%s%b}"
  builtin print -nP -- "$mark${"$"}{(l:$((COLUMNS - 1)):: :)}"$'\r \r' >$TTY
}

__patchbay_prompt() {
  local code=$?
  [[ -n "$__patchbay_told" ]] || __patchbay_end
  __patchbay_told=
  if [[ -o prompt_sp ]]; then
    unsetopt prompt_sp
    __patchbay_mark_lines=1
  fi
  [[ "$PS1" == *"$__patchbay_b"* ]] || PS1="$PS1$__patchbay_b"
  builtin print -rn -- $'\e]133;A;patchbay='"$__patchbay_nonce"$'\a' >$TTY
  return $code
}

__patchbay_start() {
  # A Ctrl-C between the hooks of a prompt leaves the end told; what starts now has an end of its own.
  __patchbay_told=
  builtin print -rn -- $'\e]133;C;patchbay='"$__patchbay_nonce"$'\a' >$TTY
}

__patchbay_install() {
  __patchbay_give_back
  if [[ -o prompt_sp ]]; then
    unsetopt prompt_sp
    __patchbay_mark_lines=1
  fi
  # zsh calls the function named precmd before the list; the mark must come first even so.
  if (( ${"$"}{+functions[precmd]} )); then
    functions[__patchbay_user_precmd]="$functions[precmd]"
    precmd() { __patchbay_end; __patchbay_user_precmd "$@" }
  fi
  typeset -ga precmd_functions preexec_functions
  precmd_functions=(__patchbay_end $precmd_functions __patchbay_prompt)
  preexec_functions+=(__patchbay_start)
  unfunction __patchbay_give_back __patchbay_take __patchbay_install
}

`;
