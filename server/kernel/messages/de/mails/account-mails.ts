import type { accountMails as en } from "../../en/mails/account-mails.ts";
import type { Texts } from "../../texts.ts";

export const accountMails: Texts<typeof en> = {
  verification: {
    subject: "Ihr Paygrant-Code",
    text: "Geben Sie diesen Code auf der Seite ein, auf der Sie Ihr Konto anlegen:",
    expires: "Code und Link gelten bis {time}.",
    link: "E-Mail-Adresse bestätigen",
    unexpected:
      "Falls Sie das nicht waren, ignorieren Sie diese E-Mail. Ohne den Code geschieht nichts. Geben Sie den Code an niemanden weiter.",
  },
  accountExists: {
    subject: "Sie haben bereits ein Paygrant-Konto",
    text: "Jemand, vermutlich Sie selbst, wollte mit dieser E-Mail-Adresse ein Paygrant-Konto anlegen. Sie haben bereits eines, deshalb wurde nichts geändert. Sie können sich anmelden.",
    link: "Anmelden",
    reset: "Passwort vergessen? Hier zurücksetzen",
    unexpected: "Falls Sie das nicht waren, können Sie diese E-Mail ignorieren.",
  },
  passkeyAdded: {
    subject: "Ihrem Konto wurde ein Passkey hinzugefügt",
    text: "Ihrem Konto wurde ein Passkey hinzugefügt. Sie können sich damit ab jetzt anmelden.",
    unexpected:
      "Falls Sie das nicht waren, entfernen Sie den Passkey sofort auf dieser Seite. Beenden Sie auch die Sitzungen, die Sie nicht kennen.",
  },
  passkeyRemoved: {
    subject: "Von Ihrem Konto wurde ein Passkey entfernt",
    text: "Von Ihrem Konto wurde ein Passkey entfernt. Er funktioniert nicht mehr. Ihre anderen Möglichkeiten, sich anzumelden, bestehen weiterhin.",
    unexpected: "Falls Sie das nicht waren, beenden Sie auf dieser Seite die Sitzungen, die Sie nicht kennen.",
  },
  passkey: "Passkey",
  passkeyLink: "Passkeys und Sitzungen",
  when: "Zeitpunkt",
  invitation: {
    subject: "{inviter} lädt Sie zu {organization} ein",
    text: "{inviter} lädt Sie ein, bei Paygrant dem Team von {organization} beizutreten.",
    role: "Rolle",
    roles: { owner: "Inhaber", admin: "Administrator", developer: "Entwickler", viewer: "Leser" },
    expires: "Gültig bis",
    link: "Einladung ansehen",
    unexpected:
      "Wenn Sie nicht wissen, wer Sie einlädt, ignorieren Sie diese E-Mail. Ohne Ihre Zustimmung geschieht nichts.",
  },
  dataExportReady: {
    subject: "Ihre Paygrant-Daten sind bereit",
    text: "Die Kopie Ihrer Daten, die Sie angefordert haben, ist bereit. Melden Sie sich an, um sie herunterzuladen.",
    expires: "Verfügbar bis",
    link: "Daten herunterladen",
    unexpected:
      "Falls Sie die Kopie nicht angefordert haben, prüfen Sie unter „Sicherheit“ die Sitzungen Ihres Kontos.",
  },
  deletionScheduled: {
    subject: "Ihr Paygrant-Konto wird am {date} gelöscht",
    text: "Ihr Konto wird am {date} gelöscht. Alle Apps und Agenten sind bereits gestoppt. Bis dahin können Sie die Löschung abbrechen.",
    date: "Wird gelöscht",
    link: "Mein Konto behalten",
    kept: "Zahlungsbelege bewahren wir so lange auf, wie das Gesetz es verlangt. Die Seite zum Datenschutz führt sie auf.",
    unexpected: "Falls Sie das nicht waren, behalten Sie Ihr Konto und ändern Sie Ihr Passwort.",
  },
  deletionCancelled: {
    subject: "Ihr Paygrant-Konto wird nicht gelöscht",
    text: "Die Löschung Ihres Kontos wurde abgebrochen. Gestoppte Apps und Agenten bleiben gestoppt. Diese können Ihre Zustimmung erneut anfragen.",
    link: "Wallet öffnen",
    unexpected:
      "Falls Sie das nicht waren, ändern Sie Ihr Passwort und beenden Sie die Sitzungen, die Sie nicht kennen.",
  },
  accountDeleted: {
    subject: "Ihr Paygrant-Konto wurde gelöscht",
    text: "Ihr Konto wurde gelöscht. Sie können sich nicht mehr anmelden. Zahlungsbelege bewahren wir nur so lange auf, wie das Gesetz es verlangt.",
  },
};
