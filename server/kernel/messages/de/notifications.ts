import type { notifications as en } from "../en/notifications.ts";
import type { Texts } from "../texts.ts";

export const notifications: Texts<typeof en> = {
  title: "Benachrichtigungen",
  intro: "Wählen Sie, welche E-Mails Sie an {email} erhalten.",
  optional: "Ihre Auswahl",
  always: "Immer gesendet",
  kinds: {
    consent_given: "Genehmigte Anfragen",
    mandate_changed: "Geänderte Mandate",
    limit_near: "Fast ausgeschöpfte Limits",
    charge_failed: "Fehlgeschlagene Zahlungen",
  },
  notes: {
    consent_given: "Eine Übersicht, wenn Sie eine App oder einen Agenten genehmigen",
    mandate_changed: "Wenn ein Mandat geändert oder beendet wird, oder wenn Paygrant es pausiert oder fortsetzt",
    limit_near: "Wenn 80\u00a0% eines Limits ausgeschöpft sind",
    charge_failed: "Wenn die Bank eine Zahlung ablehnt, höchstens einmal pro Stunde und Mandat",
  },
  required: {
    approvals: "Zahlungen, die Sie genehmigen müssen",
    announced: "Zahlungen, die ein Händler ankündigt",
    security:
      "Sicherheit: Anmeldungen in einem neuen Browser und Änderungen an Passkeys, Passwort, Wiederherstellungscodes oder E-Mail-Adresse",
    privacy: "Exporte Ihrer Daten und die Löschung Ihres Kontos",
  },
  requiredText: "Diese E-Mails brauchen Sie, um die Kontrolle über Ihr Geld und Ihr Konto zu behalten.",
  saved: "Gespeichert.",
  link: {
    title: "E-Mails: {kind}",
    on: "Sie erhalten diese Art von E-Mails.",
    off: "Sie erhalten diese Art von E-Mails nicht mehr.",
    stop: "Diese E-Mails abbestellen",
    start: "Diese E-Mails wieder erhalten",
    change: "Auswahl ändern",
    all: "E-Mail-Einstellungen in der Wallet",
    goneTitle: "Dieser Link ist ungültig",
    goneText: "Kopieren Sie den ganzen Link aus der E-Mail, oder ändern Sie die E-Mail-Einstellungen in der Wallet.",
  },
};
