import type { paymentMails as en } from "../../en/mails/payment-mails.ts";
import type { Texts } from "../../texts.ts";

export const paymentMails: Texts<typeof en> = {
  amount: "Betrag",
  merchant: "Händler",
  agent: "Agent",
  expires: "Läuft ab",
  due: "Fällig",
  reference: "Referenz",
  when: "Zeitpunkt",
  until: "Bis",
  payee: "Empfänger",
  purpose: "Wofür",
  terms: {
    purpose: "Wofür: „{text}“",
    anyMerchant: "Bei jedem Händler, der bei Paygrant registriert ist",
    onlyAt: "Nur bei {list}",
    category: "Händlern der Kategorie {category}",
    perPayment: "Höchstens {amount} je Zahlung",
    period: {
      day: "Höchstens {amount} pro Tag",
      week: "Höchstens {amount} pro Woche",
      month: "Höchstens {amount} pro Monat",
      quarter: "Höchstens {amount} pro Quartal",
      year: "Höchstens {amount} pro Jahr",
    },
    payments: {
      day: "Höchstens {count, plural, one {# Zahlung} other {# Zahlungen}} pro Tag",
      week: "Höchstens {count, plural, one {# Zahlung} other {# Zahlungen}} pro Woche",
      month: "Höchstens {count, plural, one {# Zahlung} other {# Zahlungen}} pro Monat",
      quarter: "Höchstens {count, plural, one {# Zahlung} other {# Zahlungen}} pro Quartal",
      year: "Höchstens {count, plural, one {# Zahlung} other {# Zahlungen}} pro Jahr",
    },
    total: "Insgesamt höchstens {amount}",
    totalPayments: "Insgesamt höchstens {count, plural, one {# Zahlung} other {# Zahlungen}}",
    stepUp: "Zahlungen über {amount} geben Sie einzeln frei",
    until: "Bis {date}",
  },
  approvalNeeded: {
    subject: "{amount} an {merchant} freigeben?",
    text: "{merchant} möchte {amount} einziehen. Diese Zahlung braucht Ihre Freigabe. Vorher wird nichts abgebucht.",
    link: "Freigeben oder ablehnen",
    unexpected:
      "Sie haben diese Zahlung nicht erwartet? Lehnen Sie sie ab. In Ihrer Wallet können Sie {client} auch stoppen, sodass keine weiteren Zahlungen angefragt werden können.",
  },
  confirmationNeeded: {
    subject: "{amount} an {merchant} bestätigen?",
    text: "{merchant} möchte {amount} einziehen. Ihre Bank muss bestätigen, dass Sie es sind. Vorher wird nichts abgebucht.",
    link: "Weiter zu Ihrer Bank",
    unexpected:
      "Sie haben diese Zahlung nicht erwartet? Bestätigen Sie sie nicht. In Ihrer Wallet können Sie {client} auch stoppen, sodass keine weiteren Zahlungen angefragt werden können.",
  },
  noAction: "Wenn Sie nichts tun, läuft die Anfrage ab und es fließt kein Geld.",
  lastApproval:
    "Zu diesem Mandat gab es innerhalb einer Stunde mehrere solche E-Mails. Wir senden bis zu eine Stunde lang keine weiteren. Neue Anfragen finden Sie in dieser Zeit in Ihrer Wallet unter „Freigaben“.",
  chargeAnnounced: {
    subject: "{merchant} wird {amount} abbuchen",
    text: "{merchant} hat eine Zahlung von {amount} angekündigt. Wenn Sie einverstanden sind, brauchen Sie nichts zu tun.",
    link: "{client} pausieren",
    effect:
      "Der Link öffnet die Zahlung. Pausiert wird erst, wenn Sie es dort bestätigen. Solange {client} pausiert ist, werden neue Zahlungen abgelehnt.",
  },
  consentGiven: {
    subject: "Sie haben {client} erlaubt, für Sie zu bezahlen",
    text: "Sie haben {client} erlaubt, Ihr Geld innerhalb dieser Limits auszugeben:",
    link: "In der Wallet ansehen oder stoppen",
    unexpected: "Falls Sie das nicht waren, stoppen Sie {client} sofort in Ihrer Wallet und ändern Sie Ihr Passwort.",
  },
  mandateChanged: {
    suspended:
      "{count, plural, one {Ein Mandat von {client} ist pausiert} other {# Mandate von {client} sind pausiert}}",
    resumed: "{client} kann wieder für Sie bezahlen",
    revoked: "{count, plural, one {Ein Mandat von {client} ist gestoppt} other {# Mandate von {client} sind gestoppt}}",
    narrowed: "Ein Limit von {client} wurde gesenkt",
    method: "{client} verwendet ein anderes Zahlungsmittel",
    suspendedText:
      "{count, plural, one {Dieses Mandat von {client} ist pausiert. Bis es fortgesetzt wird,} other {Diese Mandate von {client} sind pausiert. Bis sie fortgesetzt werden,}} werden neue Zahlungen abgelehnt.",
    resumedText:
      "Die Erlaubnis von {client}, für Sie zu bezahlen, ist nicht mehr pausiert. Die Limits gelten wie zuvor.",
    revokedText:
      "{client} kann mit {count, plural, one {diesem Mandat} other {diesen Mandaten}} nicht mehr für Sie bezahlen. Das lässt sich nicht rückgängig machen. Ein Vertrag mit einem Händler endet dadurch nicht.",
    narrowedText:
      "Ein Limit von {client} ist jetzt niedriger. Um es wieder zu erhöhen, muss {client} Sie fragen. Diese Limits gelten jetzt:",
    methodText: "Zahlungen von {client} verwenden jetzt ein anderes Ihrer Zahlungsmittel.",
    replaced: "Sie haben die Limits von {client} geändert",
    replacedText:
      "Sie haben {client} erlaubt, Ihr Geld innerhalb neuer Limits auszugeben. Diese Limits ersetzen die bisherigen:",
    alsoEnded:
      "{count, plural, one {# bisheriges Mandat dieser App wurde beendet.} other {# bisherige Mandate dieser App wurden beendet.}}",
    count: "Mandate",
    by: "Durch",
    actors: {
      payer: "Sie",
      client: "Die App",
      operator: "Das Paygrant-Team",
      merchant: "Den Händler",
      system: "Paygrant",
    },
    link: "In der Wallet ansehen",
    unexpected:
      "Wenn Sie diese Änderung nicht erwartet haben, prüfen Sie unter „Sicherheit“ die Sitzungen Ihres Kontos.",
  },
  chargeFailed: {
    subject: "Zahlung von {amount} an {merchant} fehlgeschlagen",
    text: "Die Zahlung von {amount} an {merchant} ist fehlgeschlagen. Es wurde nichts abgebucht.",
    reason: "Grund",
    link: "Zahlung ansehen",
    next: "Der Händler versucht es möglicherweise erneut. Wurde Ihre Karte abgelehnt, prüfen Sie deren Guthaben oder wählen Sie ein anderes Zahlungsmittel für {client}.",
  },
  limitNear: {
    subject: "{client} hat ein Limit fast ausgeschöpft",
    text: "{client} hat mindestens 80\u00a0% {count, plural, one {eines Limits genutzt, das Sie gesetzt haben. Mehr als das Limit} other {von # Limits genutzt, die Sie gesetzt haben. Mehr als die Limits}} kann nicht ausgegeben werden.",
    resets: "Beginnt neu",
    limits: {
      total: "Insgesamt",
      day: "Pro Tag",
      week: "Pro Woche",
      month: "Pro Monat",
      quarter: "Pro Quartal",
      year: "Pro Jahr",
    },
    payments: "{used} von {cap, plural, one {# Zahlung} other {# Zahlungen}} ({share})",
    amounts: "{used} von {cap} ({share})",
    link: "Limits ansehen",
    next: "Sie können das Limit jederzeit senken oder {client} pausieren oder stoppen.",
  },
};
