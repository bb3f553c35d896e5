/** What forms, commands and documentation call the settings, their sections and their values. */
export const settingWords = {
  sections: {
    general: "General",
    appearance: "Appearance",
    terminal: "Terminal",
    notifications: "Notifications",
    agents: "Agents and budgets",
  },
  values: {
    font: "names of fonts, with commas between them",
    theme: "the name of a theme",
    hours: "off, or two times such as 22:00-07:00",
  },
  groups: {
    text: "Text",
    cursor: "Cursor",
    behaviour: "Behaviour",
  },
  darkTheme: {
    label: "Colours while the app is dark",
    synonyms: "theme, palette, dark",
  },
  lightTheme: {
    label: "Colours while the app is light",
    synonyms: "theme, palette, light",
  },
  contrast: {
    label: "Minimum contrast",
    help: "Text that is harder to read is drawn lighter or darker. 4.5 is what accessibility asks for; 1 leaves all colours as they are.",
  },
  font: {
    label: "Font",
    help: "The name of a fixed-width font on this device, or several with commas between them. Empty: JetBrains Mono, which comes with Patchbay.",
  },
  fontSize: {
    label: "Font size",
    help: "Shells of other people are drawn smaller where they would not fit.",
  },
  lineHeight: {
    label: "Line height",
    help: "As a multiple of the font's own.",
  },
  ligatures: {
    label: "Ligatures",
    help: "Draws sequences such as => and != as one sign, where the font has one.",
  },
  images: {
    label: "Images",
    help: "Draws images that programs print as sixel or in the protocol of iTerm2. A terminal keeps 32 MB of them at most.",
  },
  cursorStyle: {
    label: "Cursor",
    help: "A program may choose another for itself.",
    choices: {
      block: "Block",
      bar: "Bar",
      underline: "Underline",
    },
  },
  cursorBlink: {
    label: "Blinking cursor",
  },
  bell: {
    label: "Bell",
    help: "What a program's bell does.",
    choices: {
      none: "Nothing",
      visual: "Highlight the tile's border",
      sound: "Play a sound",
    },
  },
  copyOnSelect: {
    label: "Copy on select",
    help: "Puts what you select with the pointer on the clipboard.",
  },
  scrollSpeed: {
    label: "Scroll speed",
    help: "As a multiple of the usual one.",
  },
  scrollback: {
    label: "Lines kept above the screen",
    help: "More lines take more memory.",
  },
  finishedAfter: {
    label: "Tell of commands that took longer than",
    help: "When they end and you do not see their tile. 0: never.",
  },
  optionAsMeta: {
    label: "Option as Meta",
    help: "Option sends what Alt does elsewhere, instead of special characters. Shortcuts with Option and Shift stay.",
  },
  screenReader: {
    label: "Read out by screen readers",
    help: "Keeps the text in the page, which takes time to draw.",
  },
  closeEnded: {
    label: "Close the tiles of shells that exit with 0",
    help: "Tiles of failed shells stay open.",
  },
  startAtLogin: {
    label: "Start at login",
    help: "Patchbay starts in the tray.",
  },
  language: {
    label: "Language",
    help: "Of the interface. Commands, errors and logs stay English.",
    synonyms: "language, locale, translation, german, japanese, deutsch, sprache, 日本語, 言語",
    choices: { system: "As the system", en: "English", de: "Deutsch", ja: "日本語" },
  },
  reach: {
    label: "Reached from",
    help: "Other machines come in over TLS, on all addresses of this machine and the port after the first.",
    synonyms: "remote, network, listen, outside",
    choices: { here: "this machine only", outside: "other machines too, over TLS" },
  },
  port: {
    label: "Port",
    help: "Of the relay, on this machine.",
    synonyms: "address, listen",
  },
  theme: {
    label: "Theme of the app",
    synonyms: "appearance, brightness, dark mode, light mode",
    choices: { system: "As the system", dark: "Dark", light: "Light" },
  },
  notifyWaiting: { label: "An agent waits for you" },
  notifyFinished: { label: "An agent finished its turn" },
  notifyFailed: { label: "An agent's turn failed" },
  notifyEnded: { label: "An agent was ended" },
  notifyBudget: { label: "A budget is reached" },
  notifyMessages: { label: "Messages of programs (notify)" },
  quietHours: {
    label: "Quiet hours",
    help: "By the local clock. Notifications are listed, and not shown.",
    synonyms: "do not disturb, pause, night",
  },
  budgetDay: {
    label: "Budget of each day",
    help: "In US dollars, for all sessions together. A new one only warns.",
    synonyms: "cost, limit, spending",
  },
  budgetSession: {
    label: "Budget of each session",
    help: "In US dollars, for as long as the session exists. A new one only warns.",
    synonyms: "cost, limit, spending",
  },
};
