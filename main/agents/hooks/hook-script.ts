/** Name of the script in the data folder, which a shell knows as `$PATCHBAY_DATA`. */
export const HOOK_SCRIPT_NAME = "agent-hook";

/**
 * The program behind the hooks that `agents connect` enters into an agent's settings. The relay writes it into its data
 * folder at each start, so that it fits the relay whatever installation that is from. For every POSIX shell.
 */
export const hookScript = String.raw`#!/bin/sh
# Passes the event of an agent's hook to the relay whose shell the agent runs in, and prints the decision, if a user makes
# one: "sh agent-hook AGENT ask". "sh agent-hook AGENT tell" does not wait for one, and "sh agent-hook AGENT note" not even
# for the relay: for agents that stand still while their hooks run. Prints nothing where the relay is away, refuses
# or does not know: the agent then asks in its own way. "sh agent-hook AGENT status" passes on what an agent gives its status
# line, prints it again for the status line's own program, and never waits. Written by Patchbay at each start; do not edit.
agent=$1 mode=$2
if [ "$mode" = status ]; then
  event=$(cat)
  printf '%s\n' "$event"
  exec >/dev/null 2>&1 </dev/null
fi
[ -n "$SERVICE_TOKEN" ] && [ -n "$SERVICE_URL" ] && [ -n "$SERVICE_SESSION" ] || exit 0
command -v curl >/dev/null || exit 0
# Without a user at its dialog (claude -p) the agent decides at once; this hook would hold it up.
if [ "$mode" = ask ] && [ "$agent" = claude ]; then
  [ "$CLAUDE_CODE_ENTRYPOINT" = cli ] && [ "$CLAUDE_CODE_SESSION_ATTENDED" != 0 ] || exit 0
fi
[ "$mode" = status ] || event=$(cat)
# Other programs cannot guess it. Without a random key nothing is reported.
key=$(od -An -N16 -tx1 /dev/urandom | tr -dc 0-9a-f)
[ -n "$key" ] || exit 0
limit=5
[ "$mode" != ask ] || limit=86400

# In the background, so that the end of this hook ends curl too. Token and event are never arguments, which others can see.
post() {
  curl -q -s -f --noproxy '*' --connect-timeout 2 --max-time "$limit" -H 'Content-Type: application/json' -H Expect: \
    --data-binary @- -K /dev/fd/3 <<BODY 3<<CONFIG &
{"key":"$key","event":$event}
BODY
url = "$SERVICE_URL/v1/sessions/$SERVICE_SESSION/agent-hooks/$agent"
header = "X-Service-Token: $SERVICE_TOKEN"
CONFIG
  posting=$!
  wait "$posting"
}
trap 'kill "$posting" 2>/dev/null; exit 0' TERM HUP INT

if [ "$mode" = status ] || [ "$mode" = note ]; then
  [ "$mode" = note ] || event="{\"hook_event_name\":\"StatusLine\",\"status\":$event}"
  # The streams are replaced for good: a shell keeps those that it will restore, and the agent waits for their end.
  (trap '' TERM HUP INT; exec </dev/null >/dev/null 2>&1; post) &
  exit 0
fi

# A relay that is started again within a minute continues the question.
tries=60
while :; do
  post 2>/dev/null
  case $? in
    7 | 18 | 52 | 56) ;;
    *) exit 0 ;;
  esac
  [ "$mode" = ask ] && [ "$tries" -gt 0 ] || exit 0
  tries=$((tries - 1))
  sleep 1
done
`;
