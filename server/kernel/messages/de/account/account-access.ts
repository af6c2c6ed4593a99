import type { accountAccess as en } from "../../en/account/account-access.ts";
import type { Texts } from "../../texts.ts";

export const accountAccess: Texts<typeof en> = {
  email: "E-Mail",
  backToSignIn: "Zurück zur Anmeldung",
  recovery: {
    title: "Wiederherstellungscode verwenden",
    intro: "Mit jedem Ihrer zehn Wiederherstellungscodes können Sie sich einmal anmelden, ohne Passwort oder Passkey.",
    code: "Wiederherstellungscode",
    hint: "Drei Gruppen mit je vier Zeichen, zum Beispiel 7K2M-90AB-1XYZ.",
    submit: "Anmelden",
  },
  reset: {
    title: "Passwort zurücksetzen",
    intro:
      "Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.",
    submit: "Link senden",
    sentTitle: "Prüfen Sie Ihre E-Mails",
    sentText:
      "Wir haben eine Nachricht an die eingegebene Adresse gesendet. Öffnen Sie den Link darin, um ein neues Passwort zu wählen.",
    sentHint:
      "Der Link gilt 30 Minuten. Wenn es zu der Adresse kein Konto gibt, steht das in der Nachricht. Sehen Sie auch im Spam-Ordner nach.",
    again: "Andere Adresse eingeben",
  },
  newPassword: {
    title: "Neues Passwort wählen",
    intro: "Für {email}. Alle anderen Sitzungen Ihres Kontos werden beendet.",
    password: "Neues Passwort",
    hint: "Mindestens 12 Zeichen. Einige zufällige Wörter eignen sich gut.",
    submit: "Speichern und anmelden",
    goneTitle: "Dieser Link gilt nicht mehr",
    goneText:
      "Er ist abgelaufen oder wurde bereits verwendet, oder Ihr Passwort oder Ihre E-Mail-Adresse wurde geändert. Fordern Sie einen neuen an.",
    requestNew: "Neuen Link anfordern",
  },
  emailChange: {
    title: "Neue E-Mail-Adresse bestätigen",
    intro: "Nach der Bestätigung melden Sie sich mit {email} an, und wir senden alle E-Mails dorthin.",
    account: "Konto",
    current: "Bisherige E-Mail-Adresse",
    onlyYours: "Bestätigen Sie nur, wenn dies Ihr Konto ist. Schließen Sie sonst diese Seite.",
    confirm: "Diese Adresse verwenden",
    doneTitle: "Ihre E-Mail-Adresse wurde geändert",
    doneText: "Wir haben auch Ihre bisherige Adresse informiert.",
    takenTitle: "Diese Adresse ist vergeben",
    takenText: "Ein anderes Konto verwendet diese Adresse inzwischen. Wählen Sie in Ihrem Profil eine andere.",
    goneTitle: "Dieser Link gilt nicht mehr",
    goneText:
      "Er ist abgelaufen oder wurde bereits verwendet, oder die Änderung wurde abgebrochen oder ersetzt. Beginnen Sie in Ihrem Profil noch einmal.",
    toProfile: "Zu Ihrem Profil",
  },
  problems: {
    failed: "Bei uns ist ein Fehler aufgetreten. Bitte versuchen Sie es noch einmal.",
    recovery_code_refused:
      "E-Mail und Wiederherstellungscode passen zu keinem Konto, oder der Code wurde bereits verwendet. Prüfen Sie beides und versuchen Sie es noch einmal.",
    too_many_attempts: "Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann noch einmal.",
    reset_link_gone:
      "Dieser Link ist abgelaufen oder wurde bereits verwendet, oder Ihr Passwort oder Ihre E-Mail-Adresse wurde geändert. Fordern Sie einen neuen an.",
    password_too_short: "Verwenden Sie mindestens 12 Zeichen.",
    password_too_long: "Verwenden Sie höchstens 128 Zeichen.",
    password_has_email: "Wählen Sie ein Passwort, das Ihre E-Mail-Adresse nicht enthält.",
    password_common: "Dies ist eines der häufigsten Passwörter. Wählen Sie ein anderes.",
  },
};
