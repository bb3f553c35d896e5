const e = "\x1b[";
const dim = `${e}2m`;
const off = `${e}0m`;
const lines = (...text: string[]) => `${text.join("\r\n")}\r\n`;

export const claude = `${lines(
  `${e}1;32m➜${off} ${e}36mapi${off} git:(${e}31mmain${off}) claude`,
  "╭──────────────────────────────────────────────╮",
  `│ ${e}33m✻${off} Welcome back                               │`,
  "╰──────────────────────────────────────────────╯",
  "",
  `${dim}>${off} make the retry policy honour Retry-After`,
  "",
  `${e}32m●${off} Reading ${e}34msrc/http/retry.ts${off}`,
  `  └ ${dim}142 lines${off}`,
  `${e}32m●${off} The policy ignores the header when the status is 503.`,
  "  I'll parse both forms (seconds and HTTP-date) and cap",
  "  the wait at the caller's deadline. 日本語 ✓ 👩‍💻",
  `    41 ${e}31m- const wait = backoff(attempt)${off}`,
  `    41 ${e}32m+ const wait = retryAfter(res) ?? backoff(attempt)${off}`,
)}${e}33m◐${off} Running tests… ${dim}(12s · ↑ 3.1k tokens)${off}`;

export const codex = lines(
  `${dim}›${off} split the users table`,
  "",
  `• Ran ${e}34mpsql -f plan.sql${off}`,
  "  └ 14 rows",
  "",
  `${e}1mAllow codex to run this?${off}`,
  "  alembic upgrade head",
  `${e}36m❯ 1. Yes${off}`,
  "  2. Yes, and don't ask again",
  "  3. No, tell it what to do",
);

export const vite = lines(
  `  ${e}1;32mVITE${off} v8.3.8  ready in ${e}1m212 ms${off}`,
  "",
  `  ${e}32m➜${off}  Local:   ${e}36mhttp://127.0.0.1:5173/${off}`,
  `  ${e}32m➜${off}  press ${e}1mh + enter${off} to show help`,
);

export const colours = lines(
  ...[30, 90].map((base) => Array.from({ length: 8 }, (_, index) => `${e}${base + index}m colour ${off}`).join("")),
  `${e}38;2;255;140;90mtrue colour${off} ${e}48;5;24m 256 ${off} ${e}3mitalic${off} ${e}4munderlined${off} ${e}9mstruck${off}`,
);
