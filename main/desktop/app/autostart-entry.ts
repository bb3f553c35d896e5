/** The XDG autostart entry that runs this command line. */
export function autostartEntry(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word.replaceAll(/["`$\\]/g, "\\\\$&").replaceAll("%", "%%")}"`);
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Patchbay",
    // Without the program the entry counts as none: a package that is removed cannot reach into its users' homes.
    `TryExec=${words[0]}`,
    `Exec=${quoted.join(" ")}`,
    "Icon=patchbay",
    "",
  ].join("\n");
}
