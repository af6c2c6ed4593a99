import type { securityMails as en } from "../../en/mails/security-mails.ts";
import type { Texts } from "../../texts.ts";

export const securityMails: Texts<typeof en> = {
  time: "Zeit",
  device: "Gerät",
  place: "Ort",
  unknownDevice: "Unbekanntes Gerät",
  checkSecurity: "Sicherheit Ihres Kontos prüfen",
  reset: {
    subject: "Wählen Sie ein neues Passwort",
    text: "Sie möchten Ihr Passwort zurücksetzen. Der Link funktioniert einmal, bis {expires}.",
    link: "Neues Passwort wählen",
    unexpected: "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt unverändert.",
  },
  unknown: {
    subject: "Zu dieser Adresse gibt es kein Konto",
    text: "Jemand, vermutlich Sie, wollte das Passwort eines Kontos mit dieser E-Mail-Adresse zurücksetzen. Ein solches Konto gibt es nicht. Vielleicht haben Sie eine andere Adresse verwendet.",
    link: "Konto erstellen",
    unexpected: "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.",
  },
  emailCode: {
    subject: "Ihr Code für die neue E-Mail-Adresse",
    text: "Bestätigen Sie, dass diese Adresse Ihnen gehört. Code und Link gelten bis {expires}.",
    code: "Code",
    link: "Adresse bestätigen",
    unexpected: "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ohne den Code ändert sich nichts.",
  },
  emailTaken: {
    subject: "Zu Ihrer Adresse gibt es bereits ein Konto",
    text: "Jemand, vermutlich Sie, möchte diese E-Mail-Adresse für ein anderes Konto verwenden. Zu der Adresse gibt es bereits ein Konto, deshalb wurde nichts geändert.",
    link: "Anmelden",
    unexpected: "Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Konto ist sicher.",
  },
  emailChanged: {
    subject: "Ihre E-Mail-Adresse wurde geändert",
    text: "Ab jetzt melden Sie sich mit der neuen Adresse an, und wir senden alle E-Mails dorthin.",
    newEmail: "Neue Adresse",
    unexpected:
      "Wenn Sie das nicht waren, hat jemand anderes Zugriff auf Ihr Konto. Melden Sie sich mit einem Passkey oder einem Wiederherstellungscode an und ändern Sie die Adresse zurück, oder wenden Sie sich sofort an uns.",
  },
  newSignIn: {
    subject: "Neue Anmeldung bei Ihrem Konto",
    text: "Jemand hat sich in einem Browser, den wir nicht kennen, bei Ihrem Konto angemeldet.",
    unexpected: "Wenn Sie das nicht waren, beenden Sie diese Sitzung dort sofort und ändern Sie Ihr Passwort.",
  },
  signedOut: {
    subject: "Sie wurden überall abgemeldet",
    text: "Der Support von Paygrant hat alle Sitzungen Ihres Kontos beendet. Ihr Passwort, Ihre Passkeys und verbundene Apps bleiben unverändert. Melden Sie sich neu an, um fortzufahren.",
    unexpected:
      "Wenn Sie darum nicht gebeten haben, prüfen Sie dort die letzten Anmeldungen. Ändern Sie Ihr Passwort, wenn Sie eine davon nicht kennen.",
  },
  password: {
    set: {
      subject: "Ihr Konto hat jetzt ein Passwort",
      text: "Sie können sich nun auch mit einem Passwort anmelden.",
    },
    changed: { subject: "Ihr Passwort wurde geändert", text: "Das bisherige Passwort gilt nicht mehr." },
    removed: {
      subject: "Ihr Passwort wurde entfernt",
      text: "Sie melden sich nur noch mit Ihren Passkeys an. Das Passwort gilt nicht mehr.",
    },
    reset: {
      subject: "Ihr Passwort wurde zurückgesetzt",
      text: "Über einen Link in einer E-Mail wurde ein neues Passwort gesetzt. Alle bisherigen Sitzungen sind beendet, und die Wiederherstellungscodes gelten nicht mehr. Passkeys gelten weiter.",
    },
    unexpected:
      "Wenn Sie das nicht waren, setzen Sie Ihr Passwort auf der Anmeldeseite sofort zurück. Beenden Sie dann unter „Sicherheit“ die Sitzungen und entfernen Sie die Passkeys, die Sie nicht kennen.",
  },
  newCodes: {
    subject: "Sie haben neue Wiederherstellungscodes",
    text: "Für Ihr Konto wurden zehn neue Wiederherstellungscodes erstellt. Die bisherigen Codes gelten nicht mehr.",
    unexpected:
      "Wenn Sie das nicht waren, erstellen Sie dort sofort neue Codes und beenden Sie alle Sitzungen, die Sie nicht kennen.",
  },
  codeUsed: {
    subject: "Ein Wiederherstellungscode wurde verwendet",
    text: "{left, plural, =0 {Sie haben keine Wiederherstellungscodes mehr. Erstellen Sie neue.} one {Sie haben noch # Wiederherstellungscode.} other {Sie haben noch # Wiederherstellungscodes.}}",
    unexpected:
      "Wenn Sie das nicht waren, erstellen Sie dort sofort neue Codes und beenden Sie alle Sitzungen, die Sie nicht kennen.",
  },
};
