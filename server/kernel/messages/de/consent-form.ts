import type { consentForm as en } from "../en/consent-form.ts";
import type { Texts } from "../texts.ts";

export const consentForm: Texts<typeof en> = {
  noLimit: "Kein Limit",
  lower: "Senken",
  addLimit: "Limit hinzufügen",
  close: "Schließen",
  yourLimit: "{label}: Ihr Limit in {currency}",
  yourCount: "{label}: Ihr Limit für die Zahl der Zahlungen",
  payments: "{count, plural, one {# Zahlung} other {# Zahlungen}}",
  emptyMeansNoLimit: "Wenn Sie das Feld leer lassen, gibt es kein Limit.",
  onlyLower: "Höchstens {most}. Sie können dieses Limit senken, aber nicht erhöhen.",
  unchanged: "unverändert",
  beforeValue: "bisher",
  thenValue: ", dann",
  changeEnd: "Enddatum ändern",
  newEnd: "Neues Enddatum",
  newEndHint:
    "Das Mandat endet, wenn dieser Tag beginnt ({zone}). Lassen Sie das Feld leer, damit das Enddatum oben gilt.",
  paysWith: "Zahlt mit",
  change: "Ändern",
  paymentMethod: "Zahlungsmittel",
  zero: "Geben Sie einen Betrag über null ein. Wenn Sie nichts erlauben möchten, lehnen Sie ab.",
  enterCount: "Geben Sie eine ganze Zahl ein, zum Beispiel 3.",
  zeroCount: "Geben Sie mindestens 1 ein. Wenn Sie nichts erlauben möchten, lehnen Sie ab.",
  above: "Das ist mehr, als die App wünscht. Geben Sie höchstens {most} ein.",
};
