import { expect, test } from "vitest";
import { initialsOf } from "../../../../renderer/ui/initials.ts";

test.each([
  ["Mara Keller", "MK"],
  ["kai", "K"],
  ["ada.lund@host", "AH"],
  ["高橋 花子", "高"],
  ["  ", "?"],
  ["Åsa Öberg", "ÅÖ"],
  ["👩‍💻 dev", "👩‍💻D"],
])("%s is %s", (name, initials) => expect(initialsOf(name)).toBe(initials));
