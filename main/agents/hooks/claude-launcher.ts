/** Name of the launcher of Claude Code, in the folder of `agentLaunchers`. */
export const CLAUDE_LAUNCHER_NAME = "claude";

/**
 * Takes the place of `claude` in Patchbay's shells once the user has allowed it (`agents connect claude --per-run`), and
 * starts the program of that name that follows in PATH, with Patchbay's hooks as additional settings. The relay writes it
 * into its data folder at each start. For every POSIX shell.
 *
 * `--settings` comes first, because behind the others it could be an argument of something else (`claude mcp add name --
 * program`). Some commands (`logs`, `stop`, `remote-control`) are only found as the first argument (seen with 2.1.330), so a
 * single word there is left alone.
 */
export const claudeLauncher = `#!/bin/sh
# Starts the next claude in PATH with Patchbay's hooks as additional settings, where the user has allowed that for the relay
# of this shell. Written by Patchbay at each start; do not edit.
settings=$PATCHBAY_DATA/agent-launchers/claude.json

# Another launcher of that name may start this one again: then what follows it is started, so that they do not take turns.
tried=
case "$PATCHBAY_LAUNCHED" in "$$ "*) tried=\${PATCHBAY_LAUNCHED#* } ;; esac
[ "$1 $2" != "--settings $settings" ] || tried=\${PATCHBAY_LAUNCHED#* }
case ":$PATH:" in *":\${tried%/claude}:"*) ;; *) tried= ;; esac

found=
rest=$PATH:
while [ -n "$rest" ]; do
  folder=\${rest%%:*}
  rest=\${rest#*:}
  # Those of another Patchbay too.
  case "$folder" in */agent-launchers | */agent-launchers/) continue ;; esac
  file=\${folder:-.}/claude
  if [ -n "$tried" ]; then
    [ "$file" != "$tried" ] || tried=
  elif [ -f "$file" ] && [ -x "$file" ]; then
    found=$file
    break
  fi
done
if [ -z "$found" ]; then
  echo "claude: not found in PATH (looked for by Patchbay's $0)" >&2
  exit 127
fi

adds=no
[ ! -f "$settings" ] || adds=yes
case "$1" in
  -* | *[!a-z-]* | '') ;;
  *) adds=no ;;
esac
for word do
  case "$word" in
    --) break ;;
    --settings | --settings=*) adds=no ;;
  esac
done
[ "$adds" = no ] || set -- --settings "$settings" "$@"
export PATCHBAY_LAUNCHED="$$ $found"
exec "$found" "$@"
`;
