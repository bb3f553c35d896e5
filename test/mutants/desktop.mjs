import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const app = "test/unit/main/desktop/app";
const windows = "test/unit/main/desktop/windows";

export default [
  ...mutantsOf("main/desktop/app/chromium-switches.ts", [
    {
      guard: "a page in a tile neither reads nor replaces what the user has copied",
      find: '["blink-settings", "domPasteAllowed=false,javaScriptCanAccessClipboard=false"],',
      replace: "",
      tests: [`${app}/chromium-switches.test.ts`],
    },
    {
      guard: "a package does not start with its pages open to other programs",
      find: "if (open === undefined || !packaged || inspected) return undefined;",
      replace: "if (open !== undefined) return undefined;",
      tests: [`${app}/chromium-switches.test.ts`],
    },
    {
      guard: "the app does not start without Chromium's sandbox",
      find: 'if (root || !commandLine.hasSwitch("no-sandbox")) return undefined;',
      replace: "if (root || !root) return undefined;",
      tests: [`${app}/chromium-switches.test.ts`],
    },
  ]),
  ...mutantsOf("main/desktop/app/guard-contents.ts", [
    {
      guard: "a server's redirection leads no frame into the app",
      find: 'contents.on("will-redirect", guardFrame);',
      replace: "",
      tests: [`${app}/guard-contents.test.ts`],
    },
  ]),
  ...mutantsOf("main/desktop/app/prepare-desktop.ts", [
    {
      guard: "a start of the app looks up no name",
      find: "session.defaultSession.setSpellCheckerLanguages([]);",
      replace: "",
      tests: [`${app}/prepare-desktop.test.ts`],
    },
  ]),
  ...mutantsOf("main/desktop/app/content-policy.ts", [
    {
      guard: "only the page with tiles has frames",
      find: '...(tiles ? ["frame-src http: https:"] : []),',
      replace: '"frame-src http: https:",',
      tests: [`${app}/content-policy.test.ts`],
    },
  ]),
  ...mutantsOf("main/desktop/app/updates.ts", [
    {
      guard: "Enter installs no update",
      find: "defaultId: 1,",
      replace: "defaultId: 0,",
      tests: [`${app}/updates.test.ts`],
    },
    {
      guard: "release notes fit on the screen",
      find: ".map((line) => shownLine(line, LONGEST_LINE));",
      replace: ";",
      tests: [`${app}/updates.test.ts`],
    },
  ]),
  ...mutantsOf("main/desktop/app/crash-reports.ts", [
    {
      guard: "the id in crash reports is for this user only",
      find: "chmodSync(file, 0o600);",
      replace: "",
      tests: [`${app}/crash-reports.test.ts`],
    },
  ]),
  ...mutantsOf("main/desktop/windows/window-placement.ts", [
    {
      guard: "the file of windows stays small",
      find: "const surplus = Math.max(0, others.length + 1 - MAX_WINDOWS);",
      replace: "const surplus = 0;",
      tests: [`${windows}/window-placement.test.ts`],
    },
    {
      guard: "a file of windows without bound is not read",
      find: "if (statSync(file).size > MAX_BYTES) return {};",
      replace: "",
      tests: [`${windows}/window-placement.test.ts`],
    },
  ]),
  ...mutantsOf("main/desktop/windows/window-title.ts", [
    {
      guard: "a name in a title turns and hides nothing",
      find: "return shownLine(name, LONGEST_NAME);",
      replace: "return name;",
      tests: [`${windows}/window-title.test.ts`],
    },
  ]),
];
