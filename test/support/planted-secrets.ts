/**
 * Made-up secrets of well-known formats: name, a text with one, and the part that must not be kept.
 *
 * @param seed - others for each
 */
export function plantedSecrets(seed = 0): (readonly [name: string, text: string, secret: string])[] {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const made = (length: number, from = letters) =>
    Array.from({ length }, (_, at) => from[(at * 7 + at * at * 3 + length + seed * (at + 5)) % from.length]).join("");
  const hex = "0123456789abcdef";
  const keyed = (name: string, prefix: string, length: number, from?: string): [string, string, string] => {
    const secret = made(length, from);
    return [name, `key ${prefix}${secret} end`, secret];
  };
  const long = made(43);
  return [
    keyed("AWS access key", "AKIA", 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    ["AWS secret key", `AWS_SECRET_ACCESS_KEY=${made(40)}`, made(40)],
    keyed("GitHub token", "ghp_", 36),
    keyed("GitHub fine-grained token", "github_pat_", 82),
    keyed("GitLab token", "glpat-", 20),
    keyed("Slack token", "xoxb-123456789012-", 24),
    ["Slack webhook", `https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/${made(24)}`, made(24)],
    keyed("OpenAI key", "sk-proj-", 48),
    keyed("Anthropic key", "sk-ant-api03-", 93),
    keyed("Stripe key", "sk_live_", 24),
    keyed("Google API key", "AIza", 35),
    keyed("npm token", "npm_", 36),
    keyed("PyPI token", "pypi-", 80),
    ["SendGrid key", `SG.${made(22)}.${long}`, long],
    keyed("Twilio key", "SK", 32, hex),
    ["Telegram bot token", `12345678:AA${made(33)}`, made(33)],
    keyed("Hugging Face token", "hf_", 34),
    keyed("DigitalOcean token", "dop_v1_", 64, hex),
    keyed("Shopify token", "shpat_", 32, hex),
    keyed("Linear key", "lin_api_", 40),
    ["JWT", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${long}`, long],
    ["bearer header", `Authorization: Bearer ${long}`, long],
    ["basic header", "authorization: basic dXNlcjpodW50ZXIyIQ==", "dXNlcjpodW50ZXIyIQ"],
    ["password in an address", "postgres://me:s3cretpw9@db.example.org:5432/x", "s3cretpw9"],
    ["password with an at sign in an address", "redis://:p@s3cretpw9@db.example.org:6379", "s3cretpw9"],
    ["password assignment", "password=Tr0ub4dor3xyz", "Tr0ub4dor3xyz"],
    ["API key in JSON", `"api_key": "${made(30)}"`, made(30)],
    [
      "private key",
      `-----BEGIN RSA PRIVATE KEY-----\n${made(64)}\n${made(40)}\n-----END RSA PRIVATE KEY-----`,
      `${made(64)}\n${made(40)}`,
    ],
    [
      "private key of PGP",
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${made(64)}\n-----END PGP PRIVATE KEY BLOCK-----`,
      made(64),
    ],
  ];
}
