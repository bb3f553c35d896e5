const TOKENS = [
  ...["bg", "surface", "raised", "terminal", "hover", "line", "line-strong", "text", "muted", "faint"],
  ...["focus", "wait", "wait-soft", "good", "bad", "info"],
];

/** Names of the fonts that the relay gives each page of a plugin (main/relay/http/plugin-page-routes.ts). */
const FONTS = ["sans", "mono"];

/** The view's colours and fonts for a plugin's page, one custom property `--name` for each. */
export interface PluginTheme {
  readonly scheme: "dark" | "light";
  readonly tokens: Readonly<Record<string, string>>;
}

/** Returns the current theme of the root element. */
export function pluginTheme(root: HTMLElement): PluginTheme {
  const probe = root.ownerDocument.createElement("span");
  probe.hidden = true;
  root.append(probe);
  const tokens: Record<string, string> = {};
  for (const token of TOKENS) {
    probe.style.color = `var(--${token})`;
    tokens[token] = getComputedStyle(probe).color;
  }
  const all = getComputedStyle(root.ownerDocument.documentElement);
  for (const font of FONTS) tokens[font] = all.getPropertyValue(`--${font}`).trim();
  probe.style.color = "light-dark(rgb(255, 255, 255), rgb(0, 0, 0))";
  const scheme = getComputedStyle(probe).color === "rgb(0, 0, 0)" ? "dark" : "light";
  probe.remove();
  return { scheme, tokens };
}
