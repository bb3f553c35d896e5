/**
 * Commands for fish's `--init-command`, which run after the user's configuration. The secret is the body of a function,
 * so that it stands in no list of variables. Patchbay gives fish its lines through a file and a key, because fish drops
 * control characters that are typed, and so that a line which is no whole command can be told. See docs/reference/shell-marks.md.
 */
export const fishIntegration = String.raw`# Patchbay shell integration for fish. Written anew at each start; changes are lost.
set -g __patchbay_n 0
set -g __patchbay_nonce 0
set -g __patchbay_line $PATCHBAY_LINE
set -g __patchbay_own
set -l seed
test -r "$PATCHBAY_SEED"
and read seed <$PATCHBAY_SEED
and true >$PATCHBAY_SEED
set -e PATCHBAY_SEED
set -e PATCHBAY_LINE
# The user's files may have put other folders first.
if set -q PATCHBAY_LAUNCHERS
    set -gx PATH $PATCHBAY_LAUNCHERS (string match -v -- $PATCHBAY_LAUNCHERS $PATH)
    set -e PATCHBAY_LAUNCHERS
end
if string match -qr '^[0-9 ]+$' -- "$seed"
    and test (math "bitxor(5, 3)" 2>/dev/null) = 6
    eval "function __patchbay_keys; string split ' ' '$seed'; end"

    # The nonce of the next cycle; the host computes the same (main/shells/marks/mark-secret.ts).
    function __patchbay_turn
        set -l x 0
        set -l y (math $__patchbay_n + 1)
        for key in (__patchbay_keys)
            set x (math -s0 "bitxor((floor($x / 256) + ($x % 256) * 16777216 + $y) % 4294967296, $key)")
            set y (math -s0 "bitxor(($y * 8) % 4294967296 + floor($y / 536870912), $x)")
        end
        set -g __patchbay_n (math $__patchbay_n + 1)
        set -g __patchbay_nonce $x:$y
    end

    function __patchbay_say
        printf '\e]7133;%s;%s;%s\a' $__patchbay_n $__patchbay_nonce $argv[1] >/dev/tty
    end

    function __patchbay_tell
        set -l cwd (string escape --style=url -- $PWD)
        __patchbay_turn
        __patchbay_say "D;$argv[1];$cwd"
        printf '\e]7;file://%s\a' $cwd >/dev/tty
        set -g __patchbay_told
    end

    function __patchbay_end --on-event fish_postexec
        __patchbay_tell $status
    end

    function __patchbay_error --on-event fish_posterror
        # fish keeps a line that it cannot parse and runs no prompt's hooks for it.
        __patchbay_tell 127
        set -e __patchbay_told
        set -q __patchbay_own[1]
        and commandline -r ''
        set -g __patchbay_own
        __patchbay_say A
        __patchbay_say 'B;0'
    end

    function __patchbay_cancel --on-event fish_cancel
        __patchbay_turn
        __patchbay_say A
        __patchbay_say 'B;0'
    end

    function __patchbay_start --on-event fish_preexec
        __patchbay_say C
    end

    function __patchbay_prompt --on-event fish_prompt
        # An empty line ends without a word of it.
        set -q __patchbay_told
        or __patchbay_turn
        set -e __patchbay_told
        __patchbay_wrap
        __patchbay_say A
    end

    # Again at each prompt, because the user may choose another one at any time.
    function __patchbay_wrap
        functions -q fish_prompt
        or return
        functions fish_prompt | string match -q '*__patchbay_user_prompt*'
        and return
        functions -q __patchbay_user_prompt
        and functions -e __patchbay_user_prompt
        functions -c fish_prompt __patchbay_user_prompt
        function fish_prompt
            __patchbay_user_prompt
            printf '\e]7133;%s;%s;B;0\a' $__patchbay_n $__patchbay_nonce
        end
    end

    function __patchbay_report
        set -l length (commandline -b | string collect | string length)
        test -n "$length"
        or set length 0
        __patchbay_say "E;$length"
    end

    function __patchbay_load
        set -l line
        read -z line <$__patchbay_line
        true >$__patchbay_line
        set -g __patchbay_own 1
        commandline -r -- $line
        # For a backslash at its end fish begins another line, though it calls the line valid.
        if string match -qr '(?<!\\\\)(?:\\\\\\\\)*\\\\$' -- $line
            set -g __patchbay_own
            commandline -r ''
            __patchbay_say I
            return
        end
        if commandline --is-valid
            set -g __patchbay_own
        else if test $status = 2
            set -g __patchbay_own
            commandline -r ''
            __patchbay_say I
            return
        end
        commandline -f execute
    end

    for mode in default insert replace replace_one visual
        bind -M $mode \x1e __patchbay_report
        bind -M $mode \x1d __patchbay_load
    end

    __patchbay_tell 0
end
`;
