/** A kind of secret. */
export interface SecretKind {
  readonly name: string;
  /** What it matches is hidden; its first group stays, if it has one. */
  readonly pattern: RegExp;
  /** Tells a secret from an ordinary word that the pattern has found; absent where each one is a secret. */
  readonly isSecret?: (value: string) => boolean;
  /** It is a line, which a line break ends. */
  readonly isLine?: true;
  /** Found in every text with such a secret, and quickly. Kinds that share one are looked for together. */
  readonly hint?: RegExp;
}

const NAMES =
  "password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key";
const NAMED = new RegExp(NAMES, "i");

/**
 * The beginning of an assignment, up to its value. JSON within JSON or within a shell's quotes has a backslash at
 * its own ones.
 */
const ASSIGNED = `(?:${NAMES})\\\\{0,3}["']?\\s{0,3}(?:[:=]|%3[AD])\\s{0,3}\\\\{0,3}`;

/** The formats that providers publish, and what stands beside words that say so. Every pattern is bounded. */
export const SECRET_KINDS: readonly SecretKind[] = [
  { name: "Patchbay", pattern: /\b(pb[a-z]?_)[A-Za-z0-9_-]{16,200}/g },
  { name: "AWS", pattern: /\b(AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g },
  { name: "AWS", pattern: /\b(ABSK)[A-Za-z0-9+/]{109,269}/g },
  { name: "GitHub", pattern: /\b(gh[pousr]_)[A-Za-z0-9]{36,255}/g },
  { name: "GitHub", pattern: /\b(github_pat_)[A-Za-z0-9_]{60,255}/g },
  { name: "GitLab", pattern: /\b(gl(?:pat|rt|dt|ptt|cbt|soat|ffct|imt|agent|ft|oas)-)[\w-]{20,200}/g },
  { name: "Slack", pattern: /\b(xox[a-eoprs]-|xapp-)[A-Za-z0-9%-]{10,250}/g },
  { name: "Slack", pattern: /(hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,120}/g },
  { name: "OpenAI or Anthropic", pattern: /\b(sk-)[\w-]{20,250}/g, isSecret: hasDigitAndLetter },
  { name: "Stripe", pattern: /\b([rs]k_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{16,250}/g },
  { name: "Google", pattern: /\b(AIza)[\w-]{35}/g },
  { name: "Google", pattern: /\b(GOCSPX-|ya29\.)[\w-]{20,500}/g },
  { name: "npm", pattern: /\b(npm_)[A-Za-z0-9]{36}\b/g },
  { name: "PyPI", pattern: /\b(pypi-)[\w-]{50,500}/g },
  { name: "SendGrid", pattern: /\b(SG\.)[\w-]{16,32}\.[\w-]{16,64}/g },
  { name: "Twilio", pattern: /\b(SK|AC)[0-9a-f]{32}\b/g },
  { name: "Telegram", pattern: /(:AA)(?<=\d{8}:AA)[\w-]{32,34}/g },
  { name: "Hugging Face", pattern: /\b(hf_)[A-Za-z0-9]{30,60}/g },
  { name: "DigitalOcean", pattern: /\b(do[opr]_v1_)[0-9a-f]{64}/g },
  { name: "Shopify", pattern: /\b(shp(?:at|ca|pa|ss)_)[0-9a-fA-F]{32}/g },
  { name: "Linear", pattern: /\b(lin_(?:api|oauth)_)[A-Za-z0-9]{32,64}/g },
  { name: "Atlassian", pattern: /\b(AT(?:ATT|CTT)3)[\w=-]{60,300}/g },
  { name: "Azure", pattern: /\b((?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{43,86}/g },
  { name: "Databricks", pattern: /\b(dapi)[0-9a-f]{32}/g },
  { name: "Docker Hub", pattern: /\b(dckr_[po]at_)[\w-]{20,60}/g },
  { name: "Doppler", pattern: /\b(dp\.[a-z]{2,5}\.)[A-Za-z0-9]{40,44}/g },
  { name: "Figma", pattern: /\b(figd_)[\w-]{30,60}/g },
  { name: "Grafana", pattern: /\b(glsa_|glc_)[A-Za-z0-9+/_=]{30,400}/g },
  { name: "Groq", pattern: /\b(gsk_)[A-Za-z0-9]{40,80}/g },
  { name: "Heroku", pattern: /\b(HRKU-)[\w-]{30,80}/g },
  { name: "New Relic", pattern: /\b(NRAK-)[A-Z0-9]{27}/g },
  { name: "Notion", pattern: /\b(ntn_)[A-Za-z0-9]{40,60}/g },
  { name: "Postman", pattern: /\b(PMAK-)[0-9a-f]{24}-[0-9a-f]{34}/g },
  { name: "Replicate", pattern: /\b(r8_)[A-Za-z0-9]{37}/g },
  { name: "Sentry", pattern: /\b(sntry[su]_)[A-Za-z0-9+/=_]{40,400}/g },
  { name: "Vault", pattern: /\b(hv[sbr]\.)[\w-]{20,300}/g },
  { name: "xAI", pattern: /\b(xai-)[A-Za-z0-9]{60,100}/g },
  { name: "JWT", pattern: /\b(eyJ)[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,1000}/g },
  { name: "header", pattern: /(\b(?:bearer|basic) {1,4})[\w.+/=~-]{12,4000}/gi, isSecret: hasDigitAndLetter },
  { name: "address", pattern: /(:\/\/[^\s/?#@:]{0,100}:)[^\s/?#]{1,200}(?=@)/g },
  {
    name: "assignment",
    pattern: new RegExp(`(${ASSIGNED}")(?:[^"\\\\\\r\\n]|\\\\[^"\\r\\n]){6,4000}`, "gi"),
    isSecret: hasDigitAndLetter,
    hint: NAMED,
  },
  {
    name: "assignment",
    pattern: new RegExp(`(${ASSIGNED}')(?:[^'\\\\\\r\\n]|\\\\[^'\\r\\n]){6,4000}`, "gi"),
    isSecret: hasDigitAndLetter,
    hint: NAMED,
  },
  {
    name: "assignment",
    pattern: new RegExp(`(${ASSIGNED}["']?)[^\\s"'&;,]{6,4000}`, "gi"),
    isSecret: hasDigitAndLetter,
    hint: NAMED,
  },
  { name: "private key", pattern: /\b(AGE-SECRET-KEY-1)[A-Z0-9]{58}/g },
  // A line of a key whose first line is elsewhere; OpenSSH has longer ones.
  {
    name: "key",
    pattern: /^[A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{6})?$/gm,
    isSecret: hasDigitAndLetter,
    isLine: true,
    hint: /[\n\r\u2028\u2029][A-Za-z0-9+/]{64}/,
  },
];

/** Words and numbers alone are no secrets: `password: string`, `secret=undefined`. */
export function hasDigitAndLetter(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}
