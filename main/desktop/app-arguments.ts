/** Switches of Electron and Chromium that come before ours where the app is packaged and has no folder of its own. */
const FOREIGN = /^--(no-sandbox|inspect|remote-debugging|enable-|disable-|ozone-|force-|lang=|use-|password-store)/;

/**
 * The user's words among Electron's arguments: those after the app's folder, or, where the app is packaged, all that are
 * not switches of Electron's own.
 */
export function appArguments(argv: readonly string[], packaged: boolean): readonly string[] {
  const words = argv.slice(1);
  if (packaged) return words.filter((word) => !FOREIGN.test(word));
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    // The loader's option takes a file, which is not the app's folder.
    if (word === "-r" || word === "--require") at++;
    else if (!word.startsWith("-")) return words.slice(at + 1);
  }
  return [];
}
