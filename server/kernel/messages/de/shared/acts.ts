import type { acts as en } from "../../en/shared/acts.ts";
import type { Texts } from "../../texts.ts";

export const acts: Texts<typeof en> = {
  failed: "Das hat nicht funktioniert. Bitte versuchen Sie es erneut.",
  signedOut: "Ihre Sitzung ist beendet. Melden Sie sich wieder an und wiederholen Sie dann die Aktion.",
  unreachable: "Der Dienst ist nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.",
  cancel: "Abbrechen",
  back: "Zurück",
  confirmTitle: "Bestätigen Sie, dass Sie es sind",
  confirmByPassword: "Ihre letzte Anmeldung liegt etwas zurück. Geben Sie das Passwort von <b>{email}</b> erneut ein.",
  confirmByPasskey:
    "Ihre letzte Anmeldung liegt etwas zurück. Verwenden Sie einen Passkey oder geben Sie das Passwort von <b>{email}</b> erneut ein.",
  password: "Passwort",
  confirmOnlyPasskey: "Ihre letzte Anmeldung ist schon länger her. Verwenden Sie einen Passkey von <b>{email}</b>.",
  confirmByRecoveryCode:
    "Ihre letzte Anmeldung ist schon länger her. Geben Sie einen Wiederherstellungscode von <b>{email}</b> ein. Er gilt danach nicht mehr.",
  recoveryCode: "Wiederherstellungscode",
  useRecoveryCode: "Wiederherstellungscode verwenden",
  reasons: {
    password_refused: "Das Passwort ist falsch. Prüfen Sie es und versuchen Sie es noch einmal.",
    passkey_refused: "Dieser Passkey gehört nicht zu Ihrem Konto. Versuchen Sie es mit einem anderen.",
    passkey_challenge_gone:
      "Die Passkey-Anfrage ist abgelaufen oder wurde bereits verwendet. Versuchen Sie es noch einmal.",
    recovery_code_refused:
      "Dieser Wiederherstellungscode ist falsch oder wurde bereits verwendet. Versuchen Sie es mit einem anderen.",
    too_many_attempts: "Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann noch einmal.",
    session_not_found: "Die Sitzung wurde nicht gefunden. Vielleicht ist sie schon beendet.",
    passkey_not_found: "Der Passkey wurde nicht gefunden. Vielleicht wurde er entfernt.",
    passkey_not_made:
      "Dieser Passkey kann nicht verwendet werden. Versuchen Sie es mit einem anderen Gerät oder Passwortmanager.",
    passkey_known: "Dieser Passkey ist bereits registriert.",
    too_many_passkeys: "Sie haben bereits zehn Passkeys. Entfernen Sie zuerst einen.",
    last_passkey:
      "Das ist Ihre einzige Möglichkeit, sich anzumelden. Legen Sie zuerst ein Passwort fest oder fügen Sie einen weiteren Passkey hinzu.",
    passkey_needed: "Fügen Sie zuerst einen Passkey hinzu. Ohne ihn könnten Sie sich nicht mehr anmelden.",
    password_too_short: "Verwenden Sie mindestens 12 Zeichen.",
    password_too_long: "Verwenden Sie höchstens 128 Zeichen.",
    password_has_email: "Wählen Sie ein Passwort, das Ihre E-Mail-Adresse nicht enthält.",
    password_common: "Dies ist eines der häufigsten Passwörter. Wählen Sie ein anderes.",
    email_invalid: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.",
    email_unchanged: "Das ist Ihre aktuelle Adresse. Geben Sie eine neue ein.",
    email_code_wrong: "Dieser Code ist falsch. Prüfen Sie die neueste E-Mail und versuchen Sie es noch einmal.",
    email_change_gone:
      "Diese Änderung ist abgelaufen oder bereits abgeschlossen. Beginnen Sie noch einmal mit der neuen Adresse.",
    email_taken: "Ein anderes Konto verwendet diese Adresse inzwischen. Wählen Sie eine andere.",
    name_invalid: "Geben Sie Ihren Namen mit höchstens 80 Zeichen ein.",
    time_zone_unknown: "Wählen Sie eine Zeitzone aus der Liste, zum Beispiel Europe/Berlin.",
    currency_unknown: "Wählen Sie eine Währung aus der Liste.",
  },
};
