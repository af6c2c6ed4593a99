import type { mail as en } from "../../en/mails/mail.ts";
import type { Texts } from "../../texts.ts";

export const mail: Texts<typeof en> = {
  sandbox: "Diese E-Mail kommt aus der Sandbox: Es fließt kein echtes Geld.",
  reason: "Sie erhalten diese E-Mail, weil sie Ihre Nutzung von Paygrant betrifft.",
  noReply: "Bitte antworten Sie nicht auf diese E-Mail.",
  unsubscribe: "E-Mails auswählen oder abbestellen",
  copyLink: "Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:",
};
