export const words = {
  title: "Meldungen",
  dismiss: "Ausblenden",
  kinds: {
    info: "Hinweis",
    success: "Erledigt",
    error: "Fehler",
  },
};
