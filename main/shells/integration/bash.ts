/**
 * Start-up file for bash, given with `--rcfile`. It loads the user's own files first, then adds marks to what they
 * set up. Marks: D and the folder before anything else at a prompt, A after everything else, B at the end of PS1, C
 * in PS0 (bash 4.4 and newer; older ones get no marks). The nonce stays out of the environment of programs.
 */
export const bashIntegration = String.raw`# Patchbay shell integration for bash. Written anew at each start; changes are lost.
__patchbay_nonce=$PATCHBAY_NONCE
__patchbay_login=$PATCHBAY_LOGIN
unset PATCHBAY_NONCE PATCHBAY_LOGIN
__patchbay_b='\[\e]133;B\a\]'
__patchbay_c='\e]133;C;patchbay=${"$"}{__patchbay_nonce-}\a'
__patchbay_told=
__patchbay_pwd=
__patchbay_cwd=

__patchbay_encode() {
  [[ $PWD == "$__patchbay_pwd" ]] && return 0
  __patchbay_pwd=$PWD
  local LC_ALL=C character number hex i out=
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

__patchbay_end() {
  local code=$?
  __patchbay_told=1
  __patchbay_encode
  builtin printf '\e]133;D;%s;patchbay=%s;cwd=%s\a\e]7;file://%s\a' "$code" "$__patchbay_nonce" "$__patchbay_cwd" "$__patchbay_cwd" >&2
  # Before 5.1 the next word of PROMPT_COMMAND sees this status; under set -e it must not end the shell.
  [[ $- == *e* ]] && return 0
  return "$code"
}

__patchbay_prompt() {
  local code=$?
  # Something replaced the first word of PROMPT_COMMAND: tell the end here, rather late than never.
  if [[ -z $__patchbay_told ]]; then
    __patchbay_tell_late "$code"
  fi
  __patchbay_told=
  [[ ${"$"}{PS1-} == *"$__patchbay_b"* ]] || PS1="${"$"}{PS1-}$__patchbay_b"
  [[ ${"$"}{PS0-} == *"$__patchbay_c"* ]] || PS0="${"$"}{PS0-}$__patchbay_c"
  builtin printf '\e]133;A;patchbay=%s\a' "$__patchbay_nonce" >&2
  [[ $- == *e* ]] && return 0
  return "$code"
}

__patchbay_tell_late() {
  __patchbay_encode
  builtin printf '\e]133;D;%s;patchbay=%s;cwd=%s\a' "$1" "$__patchbay_nonce" "$__patchbay_cwd" >&2
}

__patchbay_install() {
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    PROMPT_COMMAND=(__patchbay_end ${"$"}{PROMPT_COMMAND[@]+"${"$"}{PROMPT_COMMAND[@]}"} __patchbay_prompt)
  elif ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
    PROMPT_COMMAND=__patchbay_end$'\n'${"$"}{PROMPT_COMMAND-}$'\n'__patchbay_prompt
  fi
}

if [[ -n $__patchbay_login ]]; then
  if [[ -r /etc/profile ]]; then . /etc/profile; fi
  if [[ -r ~/.bash_profile ]]; then . ~/.bash_profile
  elif [[ -r ~/.bash_login ]]; then . ~/.bash_login
  elif [[ -r ~/.profile ]]; then . ~/.profile
  fi
else
  if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi
fi
__patchbay_install
`;
