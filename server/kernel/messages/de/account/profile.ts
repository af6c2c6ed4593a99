import type { profile as en } from "../../en/account/profile.ts";
import type { Texts } from "../../texts.ts";

export const profile: Texts<typeof en> = {
  title: "Profil",
  intro: "Ihr Name, und wie Seiten und E-Mails Texte, Zeiten und Beträge zeigen.",
  detailsTitle: "Sie und Ihre Formate",
  name: "Name",
  language: "Sprache",
  timeZone: "Zeitzone",
  timeZoneHint: "Tippen Sie, um zu suchen, zum Beispiel Berlin.",
  currency: "Währung für Summen",
  currencyAuto: "Wie Ihre Mandate",
  save: "Speichern",
  saved: "Gespeichert.",
  emailTitle: "E-Mail-Adresse",
  emailText: "Mit dieser Adresse melden Sie sich an, und wir senden alle E-Mails dorthin.",
  currentEmail: "Aktuelle Adresse",
  newEmail: "Neue Adresse",
  sendCode: "Code senden",
  confirmAndSend: "Bestätigen und senden",
  codeSent:
    "Wir haben eine Nachricht mit einem Code an {email} gesendet. Geben Sie den Code bis {expires} hier ein, oder öffnen Sie den Link in der Nachricht.",
  code: "Code",
  codeHint: "6 Ziffern",
  confirmCode: "Neue Adresse verwenden",
  cancel: "Aktuelle Adresse behalten",
  changed: "Ihre E-Mail-Adresse ist jetzt {email}.",
};
