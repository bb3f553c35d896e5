const TOKENS = [
  ...["bg", "surface", "raised", "terminal", "hover", "line", "line-strong", "text", "muted", "faint"],
  ...["focus", "wait", "wait-soft", "good", "bad", "info"],
];

/** The colours of the view, for a page that has only what it is given: a custom property `--name` for each. */
export interface PluginTheme {
  readonly scheme: "dark" | "light";
  readonly tokens: Readonly<Record<string, string>>;
}

/** The theme as it is on the root element now. */
export function pluginTheme(root: HTMLElement): PluginTheme {
  const probe = root.ownerDocument.createElement("span");
  probe.hidden = true;
  root.append(probe);
  const tokens: Record<string, string> = {};
  for (const token of TOKENS) {
    probe.style.color = `var(--${token})`;
    tokens[token] = getComputedStyle(probe).color;
  }
  probe.style.color = "light-dark(rgb(255, 255, 255), rgb(0, 0, 0))";
  const scheme = getComputedStyle(probe).color === "rgb(0, 0, 0)" ? "dark" : "light";
  probe.remove();
  return { scheme, tokens };
}
