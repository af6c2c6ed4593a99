import type { signUp as en } from "../../en/account/sign-up.ts";
import type { Texts } from "../../texts.ts";

export const signUp: Texts<typeof en> = {
  title: "Konto erstellen",
  introConsent:
    "Eine App möchte für Sie bezahlen. Erstellen Sie ein Konto, um die Anfrage zu sehen. Ohne Ihre Zustimmung ist nichts erlaubt.",
  introMerchant: "Erstellen Sie ein Konto für das Händler-Dashboard. Sie können damit auch bezahlen.",
  intro: "Sehen Sie, welche Apps und Agenten Ihr Geld ausgeben dürfen, und stoppen Sie sie jederzeit.",
  link: "Neu bei Paygrant? <link>Konto erstellen</link>",
  signInLink: "Sie haben schon ein Konto? <link>Anmelden</link>",
  inviteOnlyTitle: "Registrierung nur mit Einladung",
  inviteOnly:
    "Für ein neues Konto brauchen Sie eine Einladung. Wenn Sie eingeladen wurden, öffnen Sie den Link in der E-Mail. Wenn eine App Sie hierher geschickt hat, beginnen Sie in der App von vorn.",
  closedTitle: "Die Registrierung ist geschlossen",
  closed: "Zurzeit werden keine neuen Konten erstellt. Wenn Sie ein Konto haben, können Sie sich wie gewohnt anmelden.",
  invited: "Ihre Einladung gilt für diese Adresse.",
  gone: "Diese Registrierung ist abgelaufen. Registrieren Sie sich erneut.",
  name: "Name",
  nameHint:
    "Steht in Ihrer Wallet und auf Ihren Belegen. Wenn Sie dem Team eines Händlers beitreten, sehen ihn dessen Mitglieder.",
  email: "E-Mail-Adresse",
  method: "So melden Sie sich an",
  passkey: "Passkey",
  passkeyHint:
    "Ihr Fingerabdruck, Ihr Gesicht oder die PIN Ihres Geräts. Sie erstellen den Passkey, nachdem Sie Ihre Adresse bestätigt haben.",
  password: "Passwort",
  passwordHint: "Mindestens 12 Zeichen. Einige zufällige Wörter sind gut geeignet.",
  passkeyNeeded: "Für diese App brauchen Sie einen Passkey.",
  passwordNeeded: "Für diese App brauchen Sie ein Passwort.",
  submit: "Konto erstellen",
  problems: {
    name_missing: "Geben Sie Ihren Namen ein.",
    name_invalid: "Verwenden Sie höchstens 80 Zeichen, ohne Zeilenumbrüche und unsichtbare Zeichen.",
    email_invalid: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.",
    email_not_invited: "Geben Sie die Adresse ein, an die die Einladung geschickt wurde.",
    password_too_short: "Verwenden Sie mindestens 12 Zeichen.",
    password_too_long: "Verwenden Sie höchstens 128 Zeichen.",
    password_has_email: "Wählen Sie ein Passwort, das Ihre E-Mail-Adresse nicht enthält.",
    password_common: "Dieses Passwort gehört zu den häufigsten. Wählen Sie ein anderes.",
  },
  tooManyAttempts: "Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann erneut.",
  unreachable: "Der Dienst ist nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.",
  failed: "Bei uns ist ein Fehler aufgetreten. Bitte versuchen Sie es erneut.",

  codeTitle: "E-Mail-Adresse bestätigen",
  codeIntro:
    "Wir haben eine E-Mail an <b>{email}</b> geschickt. Geben Sie den 6-stelligen Code daraus ein. Er gilt 15 Minuten.",
  code: "Code",
  codeSubmit: "Bestätigen",
  codeWrong: "Dieser Code ist falsch. Prüfen Sie die E-Mail und geben Sie ihn erneut ein.",
  codeExpired:
    "Dieser Code ist abgelaufen oder war zu oft falsch. Fordern Sie einen neuen Code an, oder registrieren Sie sich erneut.",
  codeSent: "Wir haben einen neuen Code geschickt. Frühere Codes gelten nicht mehr.",
  sendCode: "Neuen Code senden",
  tooManyCodes:
    "An diese Adresse wurden zu viele Codes geschickt. Warten Sie 15 Minuten und registrieren Sie sich dann erneut.",
  otherAddress: "Falsche Adresse? <link>Neu beginnen</link>",
  outbox: "Dieser Rechner verschickt keine E-Mails. Den Code findet ein Administrator im <link>Postausgang</link>.",
  noMail: "Keine E-Mail? Sehen Sie im Spam-Ordner nach. Es kann eine Minute dauern, bis sie ankommt.",
  confirmedTitle: "Ihre Adresse ist bestätigt",
  confirmedHere: "Weiter zu Ihrem Konto.",
  confirmedLate: "Melden Sie sich an, um fortzufahren.",
  continue: "Weiter",

  linkTitle: "Registrierung abschließen",
  linkIntro: "Bestätigen Sie nur, wenn Sie sich selbst registriert haben. Schließen Sie sonst diese Seite.",
  linkName: "Name",
  linkEmail: "E-Mail-Adresse",
  linkDevice: "Registriert",
  linkSubmit: "Adresse bestätigen",
  linkExpiredTitle: "Dieser Link ist abgelaufen",
  linkExpired:
    "Ein Link gilt 15 Minuten, und nur der neueste gilt. Fordern Sie auf der Seite, auf der Sie sich registriert haben, einen neuen Code an, oder registrieren Sie sich erneut.",
  linkDone:
    "Kehren Sie zu dem Browser zurück, in dem Sie sich registriert haben. Dort geht es weiter. Wenn Sie ein Passwort festgelegt haben, können Sie sich auch hier anmelden.",

  credentialTitle: "Passkey erstellen",
  credentialIntro:
    "Ihre Adresse ist bestätigt. Schließen Sie die Registrierung mit Fingerabdruck, Gesicht oder Geräte-PIN ab.",
  createPasskey: "Passkey erstellen",
  notCreated: "Es wurde noch kein Passkey erstellt. Versuchen Sie es erneut oder legen Sie ein Passwort fest.",
  notCreatedOnly:
    "Es wurde noch kein Passkey erstellt. Versuchen Sie es erneut. Die App, die Sie hierher geschickt hat, verlangt einen Passkey.",
  addressTaken: "Diese Adresse hat schon ein Konto. <link>Anmelden</link>",
  passwordInstead: "Stattdessen ein Passwort festlegen",
  passwordSubmit: "Passwort speichern und fortfahren",

  signIn: "Anmelden",
  signUpAgain: "Erneut registrieren",
};
