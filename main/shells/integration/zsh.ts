/**
 * Start-up files for zsh, found through ZDOTDIR. Each gives the user's ZDOTDIR back, runs the user's file of the same
 * name, and takes it away again until the last one. Hooks: D first in precmd, A last, B at the end of PS1, P at the end
 * of PS2, C last in preexec. zsh prints the marker of an unfinished line before precmd, so that is done here instead,
 * after the D mark. The secret is kept as a style (zstyle), which no list of variables or functions shows. See
 * docs/reference/shell-marks.md.
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

const functions = String.raw`typeset -g __patchbay_dot="$ZDOTDIR" __patchbay_user_dot="$PATCHBAY_ZDOTDIR"
typeset -g __patchbay_nonce=
typeset -gi __patchbay_n=0
typeset -g __patchbay_told= __patchbay_mark_lines= __patchbay_pwd= __patchbay_cwd=
typeset -g __patchbay_launchers="$PATCHBAY_LAUNCHERS"
if [[ -r "$PATCHBAY_SEED" ]]; then
  builtin read -r __patchbay_nonce < "$PATCHBAY_SEED"
  : >| "$PATCHBAY_SEED"
  zstyle :patchbay:marks secret "$__patchbay_nonce"
  __patchbay_nonce=
fi
unset PATCHBAY_SEED PATCHBAY_ZDOTDIR PATCHBAY_LAUNCHERS

__patchbay_give_back() {
  if [[ "${"$"}{HISTFILE-}" == "$__patchbay_dot/.zsh_history" ]]; then
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

# The nonce of the next cycle; the host computes the same (main/shells/marks/mark-secret.ts).
__patchbay_turn() {
  emulate -L zsh
  local -i x=0 y=$((__patchbay_n + 1))
  local key keys
  zstyle -s :patchbay:marks secret keys || return 0
  for key in ${"$"}{(s: :)keys}; do
    x=$(( (((x >> 8 | x << 24) + y) & 4294967295) ^ key ))
    y=$(( ((y << 3 | y >> 29) & 4294967295) ^ x ))
  done
  __patchbay_n+=1
  __patchbay_nonce="$x:$y"
}

__patchbay_say() {
  builtin print -rn -- $'\e]7133;'"$__patchbay_n;$__patchbay_nonce;$1"$'\a' >/dev/tty
}

# Tracing writes to standard error; of the hooks nothing is to be traced.
__patchbay_end() {
  {
    local code=$?
    [[ -n "$__patchbay_told" ]] || __patchbay_tell_end $code
    return $code
  } 2>/dev/null
}

__patchbay_tell_end() {
  emulate -L zsh
  __patchbay_told=1
  __patchbay_turn
  __patchbay_encode
  __patchbay_say "D;$1;$__patchbay_cwd"
  builtin print -rn -- $'\e]7;file://'"$__patchbay_cwd"$'\a' >/dev/tty
  [[ -z "$__patchbay_mark_lines" ]] || __patchbay_finish_line
}

__patchbay_finish_line() {
  local mark="${"$"}{PROMPT_EOL_MARK-%B%S%#%s%b}"
  builtin print -nP -- "$mark${"$"}{(l:$((COLUMNS - 1)):: :)}"$'\r \r' >/dev/tty
}

__patchbay_prompt() {
  {
    local code=$?
    [[ -n "$__patchbay_told" ]] || __patchbay_tell_end $code
    __patchbay_told=
    __patchbay_take_lines
    __patchbay_mark_prompts
    __patchbay_say "A;$code"
    return $code
  } 2>/dev/null
}

# Without local options, because this is to last.
__patchbay_take_lines() {
  [[ -o prompt_sp ]] || return 0
  unsetopt prompt_sp
  __patchbay_mark_lines=1
}

__patchbay_mark_prompts() {
  emulate -L zsh
  # An assignment to a read-only variable would end the hook.
  if [[ "${"$"}{(t)PS1}" != *readonly* ]]; then
    __patchbay_unmarked "$PS1"
    PS1="$REPLY"$'%{\e]7133;'"$__patchbay_n;$__patchbay_nonce;B"$'\a%}'
  fi
  if [[ "${"$"}{(t)PS2}" != *readonly* ]]; then
    __patchbay_unmarked "${"$"}{PS2-}"
    PS2="$REPLY"$'%{\e]7133;'"$__patchbay_n;$__patchbay_nonce;P"$'\a%}'
  fi
}

__patchbay_unmarked() {
  local open=$'%{\e]7133;' close=$'\a%}' rest
  typeset -g REPLY="$1"
  while [[ "$REPLY" == *"$open"* ]]; do
    rest="${"$"}{REPLY#*"$open"}"
    REPLY="${"$"}{REPLY%%"$open"*}${"$"}{rest#*"$close"}"
  done
}

__patchbay_start() {
  {
    # A Ctrl-C between the hooks of a prompt leaves the end told; what starts now has an end of its own.
    __patchbay_told=
    __patchbay_say C
  } 2>/dev/null
}

__patchbay_report() {
  { __patchbay_say "E;$(( $#PREBUFFER + $#BUFFER ))" } 2>/dev/null
}

__patchbay_install() {
  __patchbay_give_back
  __patchbay_launch
  zstyle -t :patchbay:marks secret || [[ $? == 1 ]] || return 0
  __patchbay_take_lines
  __patchbay_hook
  unfunction __patchbay_give_back __patchbay_take __patchbay_install __patchbay_hook __patchbay_launch
}

# The user's files may have put other folders first.
__patchbay_launch() {
  emulate -L zsh
  [[ -z "$__patchbay_launchers" || "${"$"}{(t)path}" == *readonly* ]] ||
    path=("$__patchbay_launchers" "${"$"}{(@)path:#$__patchbay_launchers}")
}

__patchbay_hook() {
  emulate -L zsh
  # zsh calls the function named precmd before the list; the mark must come first even so.
  if (( ${"$"}{+functions[precmd]} )); then
    functions[__patchbay_user_precmd]="$functions[precmd]"
    precmd() { __patchbay_end; __patchbay_user_precmd "$@" }
  fi
  typeset -ga precmd_functions preexec_functions
  precmd_functions=(__patchbay_end $precmd_functions __patchbay_prompt)
  preexec_functions+=(__patchbay_start)
  zle -N __patchbay_report
  local map
  for map in emacs viins vicmd; do
    bindkey -M $map $'\x1e' __patchbay_report
  done
}

`;
