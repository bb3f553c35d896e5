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
    keyed("AWS Bedrock key", "ABSK", 128),
    keyed("GitLab runner's token", "glrt-", 20),
    keyed("GitLab trigger's token", "glptt-", 40, hex),
    keyed("Slack app's token", "xapp-1-A0AB12CD3-1234567890123-", 64, hex),
    keyed("Slack browser's token", "xoxc-123456789012-", 24),
    keyed("Linear OAuth token", "lin_oauth_", 64, hex),
    keyed("Atlassian token", "ATATT3xFfGF0", 180),
    ["Azure storage key", `AccountName=x;AccountKey=${made(86)}==;`, made(86)],
    keyed("Databricks token", "dapi", 32, hex),
    keyed("Docker Hub token", "dckr_pat_", 27),
    keyed("Doppler token", "dp.pt.", 43),
    keyed("Figma token", "figd_", 40),
    keyed("Grafana token", "glsa_", 32),
    keyed("Groq key", "gsk_", 52),
    keyed("Heroku key", "HRKU-", 60),
    keyed("New Relic key", "NRAK-", 27, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
    keyed("Notion token", "ntn_", 46),
    ["Postman key", `PMAK-${made(24, hex)}-${made(34, hex)}`, `${made(24, hex)}-${made(34, hex)}`],
    keyed("Replicate token", "r8_", 37),
    keyed("Sentry token", "sntrys_", 60),
    keyed("Vault token", "hvs.", 90),
    keyed("xAI key", "xai-", 80),
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
    keyed("private key of age", "AGE-SECRET-KEY-1", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    [
      "private key of PGP",
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${made(64)}\n-----END PGP PRIVATE KEY BLOCK-----`,
      made(64),
    ],
  ];
}
