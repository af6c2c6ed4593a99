import type { receipts as en } from "../en/receipts.ts";
import type { Texts } from "../texts.ts";

export const receipts: Texts<typeof en> = {
  charge: "Zahlungsbeleg",
  mandate: "Mandatsbeleg",
  brand: "Paygrant",
  sandbox: "Sandbox: Es ist kein echtes Geld geflossen",
  issued: "Stand: {date}",
  footer: "Dieser Beleg zeigt die Aufzeichnungen von Paygrant. Er ist keine Rechnung.",
  page: "Seite {page} von {pages}",
  amount: "Betrag",
  status: "Status",
  payer: "Zahler",
  used: "Genutzt",
  held: "Reserviert",
  left: "Übrig",
  resets: "Beginnt neu",
};
