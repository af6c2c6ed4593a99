import type { amounts as en } from "../../en/shared/amounts.ts";
import type { Texts } from "../../texts.ts";

export const amounts: Texts<typeof en> = {
  enter: "Geben Sie einen Betrag ein, zum Beispiel {example}.",
  zero: "Geben Sie einen Betrag über null ein.",
  tooLarge: "Möglich sind höchstens {amount}.",
  noDecimals: "{currency} hat keine Dezimalstellen. Geben Sie einen Betrag ein, zum Beispiel {example}.",
  decimals: "{currency} hat {count} Dezimalstellen. Geben Sie einen Betrag ein, zum Beispiel {example}.",
  ambiguous: "„{text}“ kann {one} oder {other} bedeuten. Geben Sie {typedOne} oder {typedOther} ein.",
};
