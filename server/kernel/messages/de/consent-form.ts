import type { consentForm as en } from "../en/consent-form.ts";
import type { Texts } from "../texts.ts";

export const consentForm: Texts<typeof en> = {
  atMost: "Höchstens <b>{value}</b> {scope}",
  approvalAbove: "Sie geben jede Zahlung über <b>{value}</b> frei",
  endsOn: "Endet am <b>{value}</b>",
  noLimit: "<b>Kein Limit</b> {scope}",
  noPaymentLimit: "<b>Kein Limit</b> für eine einzelne Zahlung",
  noCountLimit: "<b>Kein Limit</b> für die Zahl der Zahlungen {scope}",
  noApproval: "<b>Keine Zahlung</b> braucht Ihre Freigabe",
  scopes: {
    payment: "je Zahlung",
    total: "insgesamt",
    calendar: { day: "pro Tag", week: "pro Woche", month: "pro Monat", quarter: "pro Quartal", year: "pro Jahr" },
    consent: { day: "pro Tag", week: "alle 7 Tage", month: "pro Monat", quarter: "alle drei Monate", year: "pro Jahr" },
  },
  lower: "Senken",
  addLimit: "Limit hinzufügen",
  close: "Schließen",
  yourLimit: "{label}: Ihr Limit in {currency}",
  yourCount: "{label}: Ihr Limit für die Zahl der Zahlungen",
  payments: "{count, plural, one {# Zahlung} other {# Zahlungen}}",
  emptyMeansNoLimit: "Wenn Sie das Feld leer lassen, gibt es kein Limit.",
  onlyLower: "Höchstens {most}. Sie können dieses Limit senken, aber nicht erhöhen.",
  unchanged: "Unverändert",
  current: "Bisher: {text}",
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
