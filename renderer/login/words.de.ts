import { sentence } from "../ui/sentence.ts";

export const words = {
  title: "Programme, die Zugang möchten",
  question: "Diesem Programm Zugang geben?",
  asks: sentence(
    "{program}, von {address}, bittet um einen API-Schlüssel. Mit ihm kann es in deinen Sitzungen alles, was du kannst.",
  ),
  code: "Code",
  check: "Nur erlauben, wenn du es gestartet hast und es denselben Code zeigt.",
  deny: "Ablehnen",
  allow: "Codes stimmen, erlauben",
};
