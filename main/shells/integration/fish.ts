/**
 * Commands for fish's `--init-command`, which run after the user's configuration. fish 4 prints marks of its own;
 * those carry no nonce and so cannot be believed, which is why these are printed as well.
 */
export const fishIntegration = String.raw`# Patchbay shell integration for fish. Written anew at each start; changes are lost.
set -g __patchbay_nonce $PATCHBAY_NONCE
set -e PATCHBAY_NONCE

function __patchbay_end --on-event fish_postexec
    __patchbay_tell $status
end

function __patchbay_error --on-event fish_posterror
    # fish keeps a line that it cannot parse and prints no new prompt for it.
    __patchbay_tell 127
    __patchbay_prompt
end

function __patchbay_tell
    set -l cwd (string escape --style=url -- $PWD)
    printf '\e]133;D;%s;patchbay=%s;cwd=%s\a\e]7;file://%s\a' $argv[1] $__patchbay_nonce $cwd $cwd
end

function __patchbay_start --on-event fish_preexec
    printf '\e]133;C;patchbay=%s\a' $__patchbay_nonce
end

function __patchbay_prompt --on-event fish_prompt
    printf '\e]133;A;patchbay=%s\a' $__patchbay_nonce
end

if functions -q fish_prompt
    functions -c fish_prompt __patchbay_user_prompt
    function fish_prompt
        __patchbay_user_prompt
        printf '\e]133;B\a'
    end
end
__patchbay_tell 0
`;
