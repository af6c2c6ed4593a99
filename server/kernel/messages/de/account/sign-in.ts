import type { signIn as en } from "../../en/account/sign-in.ts";
import type { Texts } from "../../texts.ts";

export const signIn: Texts<typeof en> = {
  title: "Anmelden",
  introConsent:
    "Eine App möchte für Sie bezahlen. Melden Sie sich an, um die Anfrage zu sehen. Ohne Ihre Zustimmung ist nichts erlaubt.",
  introMerchant: "Sehen Sie die Zahlungen, Webhooks und Apps Ihres Unternehmens.",
  introOperator: "Sehen Sie, wie der Dienst läuft und was Ihre Aufmerksamkeit braucht.",
  introWallet: "Sehen Sie, welche Apps und Agenten Ihr Geld ausgeben dürfen, und stoppen Sie sie jederzeit.",
  introAgain: "Sie sind als {email} angemeldet. Bestätigen Sie, dass Sie es sind, um fortzufahren.",
  passwordRequired: "Für diese App müssen Sie sich mit Ihrem Passwort anmelden.",
  passkeyRequired: "Für diese App brauchen Sie einen Passkey. Ein Passwort reicht nicht aus.",
  passkeyMissing:
    "Für diese App brauchen Sie einen Passkey, und Sie haben noch keinen. <link>Fügen Sie unter „Sicherheit“ einen hinzu</link> und kehren Sie dann zur App zurück.",
  email: "E-Mail-Adresse",
  password: "Passwort",
  submit: "Anmelden",
  forgotPassword: "Passwort vergessen?",
  useRecoveryCode: "Wiederherstellungscode verwenden",
  demo: "Demo-Zugänge, Passwort <b>{password}</b>",
  useDemo: "Demo-Zugang verwenden: {who}",
  refused: "E-Mail-Adresse und Passwort passen zu keinem Konto. Prüfen Sie beides und versuchen Sie es erneut.",
  passkeyRefused: "Dieser Passkey ist nicht registriert. Verwenden Sie einen anderen Passkey oder Ihr Passwort.",
  timedOut: "Die Anfrage hat zu lange gedauert. Bitte versuchen Sie es erneut.",
  tooManyAttempts: "Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es dann erneut.",
  unreachable: "Der Dienst ist nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.",
  failed: "Bei uns ist ein Fehler aufgetreten. Bitte versuchen Sie es erneut.",
};
