import type { passkey as en } from "../../en/shared/passkey.ts";
import type { Texts } from "../../texts.ts";

export const passkey: Texts<typeof en> = {
  use: "Passkey verwenden",
  or: "oder",
  notUsed: "Es wurde kein Passkey verwendet. Versuchen Sie es erneut, wenn Sie bereit sind.",
  alreadyAdded: "Auf diesem Gerät oder in diesem Passwort-Manager gibt es bereits einen Passkey für Ihr Konto.",
  wrongAddress: "Unter dieser Adresse funktionieren Passkeys nicht.",
  noVerification:
    "Dieses Gerät kann keinen Passkey speichern, der nach PIN, Fingerabdruck oder Gesichtserkennung fragt.",
  unsupported:
    "Der Passkey hat in diesem Browser oder auf diesem Gerät nicht funktioniert. Versuchen Sie es mit einem anderen Browser oder Gerät.",
};
