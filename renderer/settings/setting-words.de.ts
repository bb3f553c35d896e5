export const settingWords = {
  sections: {
    general: "Allgemein",
    appearance: "Darstellung",
    terminal: "Terminal",
    notifications: "Benachrichtigungen",
    agents: "Agenten und Budgets",
  },
  values: {
    font: "Namen von Schriften, mit Kommas dazwischen",
    theme: "der Name eines Farbschemas",
    hours: "off, oder zwei Uhrzeiten wie 22:00-07:00",
  },
  groups: {
    text: "Text",
    cursor: "Cursor",
    behaviour: "Verhalten",
  },
  darkTheme: {
    label: "Farben, während die App dunkel ist",
    synonyms: "theme, palette, dark, farbschema, dunkel",
  },
  lightTheme: {
    label: "Farben, während die App hell ist",
    synonyms: "theme, palette, light, farbschema, hell",
  },
  contrast: {
    label: "Mindestkontrast",
    help: "Schwer lesbarer Text wird heller oder dunkler gezeichnet. 4,5 verlangt die Barrierefreiheit; 1 lässt alle Farben, wie sie sind.",
  },
  font: {
    label: "Schrift",
    help: "Der Name einer dicktengleichen Schrift auf diesem Gerät, oder mehrere mit Kommas dazwischen. Leer: JetBrains Mono, die zu Patchbay gehört.",
  },
  fontSize: {
    label: "Schriftgröße",
    help: "Shells anderer werden kleiner gezeichnet, wo sie sonst nicht passen.",
  },
  lineHeight: {
    label: "Zeilenhöhe",
    help: "Als Vielfaches der Höhe der Schrift.",
  },
  ligatures: {
    label: "Ligaturen",
    help: "Zeichnet Folgen wie => und != als ein Zeichen, wo die Schrift eines hat.",
  },
  images: {
    label: "Bilder",
    help: "Zeichnet Bilder, die Programme als Sixel oder im Protokoll von iTerm2 ausgeben. Ein Terminal behält höchstens 32 MB davon.",
  },
  cursorStyle: {
    label: "Cursor",
    help: "Ein Programm kann für sich einen anderen wählen.",
    choices: {
      block: "Block",
      bar: "Strich",
      underline: "Unterstrich",
    },
  },
  cursorBlink: {
    label: "Blinkender Cursor",
  },
  bell: {
    label: "Glocke",
    help: "Was die Glocke eines Programms bewirkt.",
    choices: {
      none: "Nichts",
      visual: "Rand der Kachel hervorheben",
      sound: "Ton abspielen",
    },
  },
  copyOnSelect: {
    label: "Beim Auswählen kopieren",
    help: "Legt in die Zwischenablage, was du mit dem Zeiger auswählst.",
  },
  scrollSpeed: {
    label: "Scrollgeschwindigkeit",
    help: "Als Vielfaches der üblichen.",
  },
  scrollback: {
    label: "Zeilen über dem Bildschirm",
    help: "Mehr Zeilen brauchen mehr Speicher.",
  },
  finishedAfter: {
    label: "Befehle melden, die länger dauerten als",
    help: "Wenn sie enden und du ihre Kachel nicht siehst. 0: nie.",
  },
  optionAsMeta: {
    label: "Wahltaste als Meta",
    help: "Die Wahltaste sendet, was anderswo Alt sendet, statt Sonderzeichen. Kürzel mit Wahl- und Umschalttaste bleiben.",
  },
  screenReader: {
    label: "Von Bildschirmlesern vorlesen lassen",
    help: "Behält den Text in der Seite, was beim Zeichnen Zeit kostet.",
  },
  closeEnded: {
    label: "Kacheln von Shells schließen, die mit 0 enden",
    help: "Kacheln fehlgeschlagener Shells bleiben offen.",
  },
  startAtLogin: {
    label: "Bei der Anmeldung starten",
    help: "Patchbay startet im Infobereich.",
  },
  language: {
    label: "Sprache",
    help: "Der Oberfläche. Befehle, Fehlermeldungen und Protokolle bleiben englisch.",
    synonyms: "language, locale, translation, englisch, japanisch, übersetzung, english, 日本語, 言語",
    choices: { system: "Wie das System", en: "English", de: "Deutsch", ja: "日本語" },
  },
  reach: {
    label: "Erreichbar von",
    help: "Andere Rechner kommen über TLS herein, an allen Adressen dieses Rechners und am Port nach dem ersten.",
    synonyms: "remote, network, listen, outside, netzwerk, außen",
    choices: { here: "nur diesem Rechner", outside: "auch anderen Rechnern, über TLS" },
  },
  port: {
    label: "Port",
    help: "Des Relays, auf diesem Rechner.",
    synonyms: "address, listen, adresse",
  },
  theme: {
    label: "Design der App",
    synonyms: "theme, appearance, brightness, dark mode, light mode, helligkeit, dunkelmodus",
    choices: { system: "Wie das System", dark: "Dunkel", light: "Hell" },
  },
  notifyWaiting: { label: "Ein Agent wartet auf dich" },
  notifyFinished: { label: "Ein Agent ist mit seinem Schritt fertig" },
  notifyFailed: { label: "Der Schritt eines Agenten ist fehlgeschlagen" },
  notifyEnded: { label: "Ein Agent wurde beendet" },
  notifyBudget: { label: "Ein Budget ist erreicht" },
  notifyMessages: { label: "Meldungen von Programmen (notify)" },
  quietHours: {
    label: "Ruhezeit",
    help: "Nach der Uhr dieses Rechners. Benachrichtigungen werden aufgelistet, aber nicht gezeigt.",
    synonyms: "do not disturb, pause, night, nicht stören, nacht",
  },
  budgetDay: {
    label: "Budget für jeden Tag",
    help: "In US-Dollar, für alle Sitzungen zusammen. Ein neues warnt nur.",
    synonyms: "cost, limit, spending, kosten, grenze, ausgaben",
  },
  budgetSession: {
    label: "Budget für jede Sitzung",
    help: "In US-Dollar, solange es die Sitzung gibt. Ein neues warnt nur.",
    synonyms: "cost, limit, spending, kosten, grenze, ausgaben",
  },
};
