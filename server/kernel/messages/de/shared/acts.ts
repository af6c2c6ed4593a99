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
};
