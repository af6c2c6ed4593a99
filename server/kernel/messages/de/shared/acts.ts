import type { acts as en } from "../../en/shared/acts.ts";
import type { Texts } from "../../texts.ts";

export const acts: Texts<typeof en> = {
  failed: "Das hat nicht funktioniert. Bitte versuchen Sie es erneut.",
  signedOut: "Ihre Sitzung ist beendet. Melden Sie sich wieder an und wiederholen Sie dann die Aktion.",
  unreachable: "Der Dienst ist nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.",
  cancel: "Abbrechen",
  back: "Zurück",
  confirmTitle: "Bestätigen Sie, dass Sie es sind",
  confirmByPassword:
    "Diese Aktion erfordert eine kürzliche Anmeldung. Geben Sie das Passwort von <b>{email}</b> erneut ein.",
  confirmByPasskey:
    "Diese Aktion erfordert eine kürzliche Anmeldung. Verwenden Sie einen Passkey oder geben Sie das Passwort von <b>{email}</b> erneut ein.",
  password: "Passwort",
  confirmOnlyPasskey:
    "Diese Aktion erfordert eine kürzliche Anmeldung. Verwenden Sie einen Passkey von <b>{email}</b>.",
  confirmByRecoveryCode:
    "Diese Aktion erfordert eine kürzliche Anmeldung. Geben Sie einen Wiederherstellungscode von <b>{email}</b> ein. Jeder Code funktioniert nur einmal.",
  recoveryCode: "Wiederherstellungscode",
  useRecoveryCode: "Wiederherstellungscode verwenden",
  reasons: {
    account_changed:
      "Es wurde nichts geändert, weil Sie sich in einem anderen Tab mit einem anderen Konto angemeldet haben. Laden Sie die Seite neu.",
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
    cross_origin:
      "Diese Anfrage muss von einer Seite dieser Website kommen. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
    proof_too_old: "Bestätigen Sie, dass Sie es sind, und versuchen Sie es noch einmal.",
    invalid_request: "Einige Angaben können nicht verwendet werden. Prüfen Sie sie und versuchen Sie es noch einmal.",
    temporarily_unavailable: "Der Dienst ist vorübergehend nicht verfügbar. Versuchen Sie es gleich noch einmal.",
    not_found: "Das wurde nicht gefunden. Vielleicht wurde es entfernt.",
    no_passkey: "Sie haben keinen Passkey. Bestätigen Sie mit Ihrem Passwort.",
    no_password: "Ihr Konto hat kein Passwort.",
    mandate_not_found: "Das Mandat wurde nicht gefunden. Laden Sie die Seite neu.",
    mandate_suspended: "Das Mandat ist pausiert. Deshalb ist diese Aktion nicht möglich.",
    mandate_revoked: "Das Mandat wurde gestoppt. Deshalb ist diese Aktion nicht möglich.",
    mandate_expired: "Das Mandat ist abgelaufen. Deshalb ist diese Aktion nicht möglich.",
    mandate_consumed: "Das Mandat ist aufgebraucht. Deshalb ist diese Aktion nicht möglich.",
    mandate_active: "Das Mandat ist aktiv. Deshalb ist diese Aktion nicht möglich.",
    mandate_pending: "Das Mandat ist noch nicht genehmigt. Deshalb ist diese Aktion nicht möglich.",
    mandate_rejected: "Das Mandat wurde abgelehnt. Deshalb ist diese Aktion nicht möglich.",
    mandate_not_active:
      "Das Mandat ist pausiert oder beendet und kann nicht belastet werden. Wenn es pausiert ist, setzen Sie es zuerst fort.",
    already_suspended: "Das Mandat ist bereits pausiert.",
    not_suspended_by_you: "Jemand anderes hat dieses Mandat pausiert. Nur diese Person kann es fortsetzen.",
    not_narrower: "Sie können ein Limit nur senken. Geben Sie weniger als das aktuelle Limit ein.",
    unknown_limit: "Das Mandat hat dieses Limit nicht. Laden Sie die Seite neu.",
    payment_method_not_found: "Dieses Zahlungsmittel ist nicht mehr verfügbar. Wählen Sie ein anderes.",
    payment_method_in_use:
      "Dieses Zahlungsmittel wird verwendet von: {mandates}. Wählen Sie für jedes dieser Mandate ein anderes Zahlungsmittel oder stoppen Sie das Mandat. Entfernen Sie dann dieses Zahlungsmittel.",
    payment_method_removed:
      "Das Zahlungsmittel dieser Zahlung wurde entfernt. Lehnen Sie die Zahlung ab und bitten Sie den Händler um eine neue Anfrage.",
    test_cards_unavailable:
      "Hier können Sie keine Testkarten hinzufügen, weil mit echten Karten bezahlt wird. Fügen Sie stattdessen eine Karte hinzu.",
    too_many_payment_methods: "Sie haben zu viele Zahlungsmittel. Entfernen Sie zuerst eines.",
    processor_unavailable:
      "Der Zahlungsdienst ist gerade nicht erreichbar. Es wurde nichts geändert. Versuchen Sie es in einer Minute noch einmal.",
    notice_not_found: "Diese angekündigte Zahlung wurde nicht gefunden. Laden Sie die Seite neu.",
    charge_not_found: "Die Zahlung wurde nicht gefunden. Laden Sie die Seite neu.",
    approval_unknown:
      "Wir wissen nicht, ob Ihre Freigabe gespeichert wurde. Laden Sie die Seite gleich neu, um den Status der Zahlung zu sehen.",
    approval_approved: "Sie haben diese Zahlung bereits freigegeben.",
    approval_declined: "Sie haben diese Zahlung bereits abgelehnt. Es wurde nichts abgebucht.",
    approval_expired: "Die Freigabe ist nach 15 Minuten abgelaufen. Es wurde nichts abgebucht.",
    approval_withdrawn: "Die Zahlung wurde abgebrochen. Es wurde nichts abgebucht.",
    too_many_connections:
      "Es sind zu viele Seiten geöffnet. Schließen Sie eine, oder laden Sie diese Seite neu, um Änderungen zu sehen.",
    client_not_connected: "Diese App ist nicht verbunden. Vielleicht wurde sie schon getrennt.",
    operator_account:
      "Operatoren können ihr Konto nicht löschen. Bitten Sie zuerst einen anderen Administrator, Ihre Operatorrolle zu entfernen.",
    merchant_owner: "Sie sind der einzige Inhaber von {merchants}. Übertragen Sie zuerst die Inhaberschaft.",
  },
};
