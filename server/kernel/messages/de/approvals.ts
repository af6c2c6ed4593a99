import type { approvals as en } from "../en/approvals.ts";
import type { Texts } from "../texts.ts";

export const approvals: Texts<typeof en> = {
  title: "Freigaben",
  intro:
    "Zahlungen, die Ihre Freigabe brauchen. Eine Zahlung, die Sie nicht innerhalb von 15 Minuten freigeben, verfällt, und es wird nichts abgebucht.",
  asks: "{merchant} bittet um {amount}",
  asked: "{merchant} bat um {amount}",
  for: "Für {reference}",
  agent: "Agent: {agent}",
  by: "Freigabe bis {time}",
  byBank: "Bestätigung bei der Bank bis {time}",
  review: "Prüfen",
  continue: "Fortfahren",
  empty: "Keine Zahlungen zum Freigeben",
  emptyText:
    "Hier sehen Sie Zahlungen über dem Betrag, ab dem ein Mandat Ihre Freigabe verlangt. Sie geben jede einzeln frei oder lehnen sie ab.",
  wants: "{agent} möchte diese Zahlung für Sie ausführen",
  wanted: "{agent} wollte diese Zahlung für Sie ausführen",
  left: "noch {time}",
  approve: "Freigeben",
  decline: "Ablehnen",
  confirm: "Bestätigen und freigeben",
  atBank: "Weiter bei Ihrer Bank",
  yourMethod: "Ihrem Zahlungsmittel",
  reservedLater: "Wenn Sie freigeben, werden {amount} auf {method} reserviert, bis {merchant} sie abbucht.",
  paidNow: "Wenn Sie freigeben, werden {amount} sofort mit {method} bezahlt.",
  otherwise: "Wenn Sie ablehnen oder nicht rechtzeitig antworten, wird nichts abgebucht.",
  seeMandate: "Mandat ansehen",
  limits: "Limits des Mandats",
  limitsHeld: "Limits einschließlich dieser Zahlung",
  back: "Alle Freigaben",
  notFound: "Zahlung nicht gefunden",
  notFoundText: "Diese Zahlung gehört nicht Ihnen, oder die Adresse ist falsch.",
  facts: {
    for: "Verwendungszweck",
    notGiven: "Nicht angegeben",
    mandate: "Mandat",
    method: "Zahlungsmittel",
    methodGone: "Ein entferntes Zahlungsmittel",
    methodChanged: "(das Zahlungsmittel des Mandats bei der Anfrage; jetzt nutzt es {method})",
    requested: "Angefragt",
    whilePresent: "{date}, in Ihrer Anwesenheit",
    whileAbsent: "{date}, in Ihrer Abwesenheit",
    threshold: "Braucht Ihre Freigabe",
    above: "jede Zahlung über {amount}",
  },
  outcomes: {
    declined: "Sie haben abgelehnt. Es wurde nichts abgebucht, und {merchant} wurde informiert.",
    expired:
      "Sie haben nicht innerhalb von 15 Minuten freigegeben. Die Zahlung ist verfallen. Es wurde nichts abgebucht.",
    canceled: "Die Zahlung wurde storniert, bevor Sie entschieden haben. Es wurde nichts abgebucht.",
    withdrawn: "{merchant} hat die Zahlung storniert, bevor Sie entschieden haben. Es wurde nichts abgebucht.",
    bank: "Ihre Bank muss bestätigen, dass Sie es sind. Bestätigen Sie dort, um die Zahlung fortzusetzen.",
    bankExpired:
      "Die 15 Minuten für die Bestätigung bei Ihrer Bank sind vorbei. Die Zahlung wird storniert. Unter Umsätze sehen Sie das Ergebnis.",
    paid: "Sie haben freigegeben, und die Zahlung ist erfolgt.",
    authorized: "Sie haben freigegeben. Der Betrag ist reserviert, und {merchant} bucht ihn später ab.",
    inProgress:
      "Sie haben freigegeben, und die Zahlung läuft. Sie müssen nichts weiter tun. Unter Umsätze sehen Sie das Ergebnis.",
    bankToo:
      "Sie haben freigegeben. Auch Ihre Bank muss bestätigen, dass Sie es sind: Bestätigen Sie dort, um die Zahlung fortzusetzen.",
    bankDeclined: "Sie haben die Zahlung freigegeben, aber {reason}. Es ist kein Geld geflossen.",
    canceledLater: "Sie haben freigegeben, aber die Zahlung wurde storniert, bevor Geld geflossen ist.",
    later: "Sie haben freigegeben. Unter Umsätze sehen Sie, was danach geschehen ist.",
  },
  blockers: {
    paused:
      "Das Mandat ist pausiert. Diese Zahlung ist deshalb nicht möglich. Setzen Sie das Mandat fort, und geben Sie die Zahlung dann hier frei.",
    suspended: "Paygrant hat das Mandat pausiert. Zurzeit kann nichts abgebucht werden.",
    ended: "Das Mandat ist beendet. Es kann nichts mehr abgebucht werden.",
    merchant: "{merchant} kann zurzeit keine neuen Zahlungen annehmen.",
    method:
      "Das Zahlungsmittel dieser Zahlung wurde entfernt. Lehnen Sie ab, und bitten Sie den Händler um eine neue Anfrage.",
  },
};
