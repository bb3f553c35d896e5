/**
 * Start-up file for bash, given with `--rcfile`. It loads the user's own files first, then adds marks to what they set
 * up: D and the folder before anything else at a prompt, A after everything else, B at the end of PS1, P at the end of
 * PS2, C in PS0 (bash 4.4 and newer; older ones get no marks). See docs/reference/shell-marks.md.
 *
 * The secret is kept as the words of a completion that completes nothing: unlike a variable it stands neither in the
 * output of `set` and `declare` nor in the environment. Only the nonce of the cycle that has begun is a variable.
 */
export const bashIntegration = String.raw`# Patchbay shell integration for bash. Written anew at each start; changes are lost.
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && [[ -r $PATCHBAY_SEED ]]; then
  builtin read -r __patchbay_nonce < "$PATCHBAY_SEED"
  : >| "$PATCHBAY_SEED"
  builtin complete -W "$__patchbay_nonce" __patchbay
fi
__patchbay_login=$PATCHBAY_LOGIN
__patchbay_posix=$PATCHBAY_POSIX
__patchbay_launchers=$PATCHBAY_LAUNCHERS
unset PATCHBAY_SEED PATCHBAY_LOGIN PATCHBAY_POSIX PATCHBAY_LAUNCHERS
__patchbay_n=0
__patchbay_j=0
__patchbay_nonce=
__patchbay_b='\[\e]7133;${"$"}{__patchbay_n-};${"$"}{__patchbay_nonce-};B;$((__patchbay_j+=1));$?\a\]'
__patchbay_p='\[\e]7133;${"$"}{__patchbay_n-};${"$"}{__patchbay_nonce-};P;$((__patchbay_j+=1))\a\]'
__patchbay_c='\e]7133;${"$"}{__patchbay_n-};${"$"}{__patchbay_nonce-};C\a'
__patchbay_told=
__patchbay_pwd=
__patchbay_cwd=

__patchbay_encode() {
  [[ $PWD == "$__patchbay_pwd" ]] && return 0
  __patchbay_pwd=$PWD
  builtin local LC_ALL=C character= number= hex= i= out=
  if [[ $PWD == *[!a-zA-Z0-9/._~-]* ]]; then
    for ((i = 0; i < ${"$"}{#PWD}; i++)); do
      character=${"$"}{PWD:i:1}
      case $character in
        [a-zA-Z0-9/._~-]) out+=$character ;;
        *)
          builtin printf -v number '%d' "'$character"
          builtin printf -v hex '%%%02X' "$((number & 255))"
          out+=$hex
          ;;
      esac
    done
  else
    out=$PWD
  fi
  __patchbay_cwd=$out
  return 0
}

# The nonce of the next cycle; the host computes the same (main/shells/marks/mark-secret.ts).
__patchbay_turn() {
  builtin local IFS=$' \t\n' keys= key= x=0 y=0
  keys=$(builtin complete -p __patchbay) || return 1
  keys=${"$"}{keys#*\'}
  keys=${"$"}{keys%%\'*}
  y=$((__patchbay_n + 1))
  for key in $keys; do
    x=$((((x >> 8 | x << 24) + y & 4294967295) ^ key))
    y=$(((y << 3 | y >> 29) & 4294967295 ^ x))
  done
  __patchbay_n=$((__patchbay_n + 1))
  __patchbay_nonce=$x:$y
  __patchbay_j=0
}

__patchbay_tell() {
  __patchbay_turn || return 0
  __patchbay_encode
  builtin printf '\e]7133;%s;%s;D;%s;%s\a\e]7;file://%s\a' \
    "$__patchbay_n" "$__patchbay_nonce" "$1" "$__patchbay_cwd" "$__patchbay_cwd" >/dev/tty
}

# The options of the user's session (tracing, export of all variables, exit on errors) are not for what runs here.
__patchbay_end() {
  builtin local "code=$?" "options=$-"
  builtin local -
  builtin set +aefkuvx
  __patchbay_told=1
  __patchbay_tell "$code"
  # Before 5.1 the next word of PROMPT_COMMAND sees this status; under set -e it must not end the shell.
  [[ $options == *e* ]] && return 0
  return "$code"
}

__patchbay_prompt() {
  builtin local "code=$?" "options=$-"
  builtin local -
  builtin set +aefkuvx
  # Something replaced the first word of PROMPT_COMMAND: tell the end here, rather late than never.
  [[ -n $__patchbay_told ]] || __patchbay_tell "$code"
  __patchbay_told=
  # An assignment to a read-only variable would end this function.
  [[ ${"$"}{PS1-} == *"$__patchbay_b"* || ${"$"}{PS1@a} == *r* ]] || PS1="${"$"}{PS1-}$__patchbay_b"
  [[ ${"$"}{PS2-} == *"$__patchbay_p"* || ${"$"}{PS2@a} == *r* ]] || PS2="${"$"}{PS2-}$__patchbay_p"
  [[ ${"$"}{PS0-} == *"$__patchbay_c"* || ${"$"}{PS0@a} == *r* ]] || PS0="${"$"}{PS0-}$__patchbay_c"
  builtin printf '\e]7133;%s;%s;A;%s\a' "$__patchbay_n" "$__patchbay_nonce" "$code" >/dev/tty
  [[ $options == *e* ]] && return 0
  return "$code"
}

__patchbay_report() {
  builtin local -
  builtin set +aefkuvx
  builtin printf '\e]7133;%s;%s;E;%s\a' "$__patchbay_n" "$__patchbay_nonce" "${"$"}{#READLINE_LINE}" >/dev/tty
}

__patchbay_install() {
  builtin complete -p __patchbay &>/dev/null || return 0
  # Tracing writes to standard error; of these words nothing is to be traced. The line ends are for bash-preexec, which
  # knows the words of PROMPT_COMMAND by them.
  builtin local end=$'{\n__patchbay_end\n} 2>/dev/null' prompt=$'{\n__patchbay_prompt\n} 2>/dev/null' map=
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    PROMPT_COMMAND=("$end" ${"$"}{PROMPT_COMMAND[@]+"${"$"}{PROMPT_COMMAND[@]}"} "$prompt")
  else
    PROMPT_COMMAND=$end$'\n'${"$"}{PROMPT_COMMAND-}$'\n'$prompt
  fi
  for map in emacs vi-insert vi-command; do
    builtin bind -m "$map" -x '"\x1e": { __patchbay_report; } 2>/dev/null' 2>/dev/null
  done
}

if [[ -n $__patchbay_posix ]]; then
  export POSIXLY_CORRECT=$__patchbay_posix
  if [[ -r ${"$"}{ENV-} ]]; then . "$ENV"; fi
elif [[ -n $__patchbay_login ]]; then
  if [[ -r /etc/profile ]]; then . /etc/profile; fi
  if [[ -r ~/.bash_profile ]]; then . ~/.bash_profile
  elif [[ -r ~/.bash_login ]]; then . ~/.bash_login
  elif [[ -r ~/.profile ]]; then . ~/.profile
  fi
else
  if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi
fi
__patchbay_install
# The user's files may have put other folders first. Last of all, because a PATH that they made read-only ends this file.
if [[ -n ${"$"}{__patchbay_launchers-} ]]; then
  __patchbay_path=:$PATH:
  __patchbay_path=${"$"}{__patchbay_path//":$__patchbay_launchers:"/:}
  { PATH=$__patchbay_launchers${"$"}{__patchbay_path%:}; } 2>/dev/null
fi
`;
