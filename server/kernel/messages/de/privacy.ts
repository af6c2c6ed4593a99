import type { privacy as en } from "../en/privacy.ts";
import type { Texts } from "../texts.ts";

export const privacy: Texts<typeof en> = {
  title: "Datenschutz",
  intro: "Ihre Daten und was damit geschieht.",
  exportTitle: "Daten exportieren",
  exportText:
    "Sie erhalten eine JSON-Datei mit den Daten, die über Sie gespeichert sind, ohne Geheimnisse wie Passwörter und Codes. Sie ist innerhalb einer Minute fertig und kann 7 Tage lang heruntergeladen werden.",
  requestExport: "Meine Daten exportieren",
  confirmAndExport: "Bestätigen und exportieren",
  requested: "Angefordert am {at}",
  preparing: "Wird vorbereitet …",
  until: "verfügbar bis {at}",
  download: "Herunterladen",
  downloadOf: "Export vom {at} herunterladen",
  deleteTitle: "Konto löschen",
  deleteText:
    "Wenn Sie Ihr Konto löschen, enden alle Ihre Mandate sofort. 14 Tage später werden Ihre persönlichen Daten gelöscht. Bis dahin können Sie die Löschung abbrechen.",
  delete: "Mein Konto löschen",
  confirmAndDelete: "Bestätigen und löschen",
  confirmTitle: "Ihr Konto löschen?",
  effectMandates:
    "Alle Ihre Mandate enden jetzt. Die Mandate werden nicht wiederhergestellt, auch wenn Sie die Löschung später abbrechen.",
  effectCharges:
    "Bereits übermittelte Zahlungen können noch ausgeführt werden. Zahlungen, die auf Ihre Freigabe warten, werden storniert.",
  effectData:
    "Am {date} werden Ihr Name, Ihre E-Mail-Adresse und Ihre Passkeys gelöscht und Ihre Zahlungsmittel entfernt, und alle Sitzungen enden.",
  effectContract: "Verträge mit Händlern enden nicht.",
  keepForNow: "Konto vorerst behalten",
  scheduled: "Ihr Konto wird am {date} gelöscht.",
  scheduledText: "Ihre Mandate sind beendet. Sie können Ihre Daten weiterhin exportieren.",
  keep: "Mein Konto behalten",
  keptTitle: "Was aufbewahrt wird und warum",
  keptText:
    "Das Gesetz verlangt Aufzeichnungen über Zahlungen. Sie enthalten eine Kennung statt Ihres Namens und Ihrer E-Mail-Adresse. Zahlungen, Erstattungen und das Protokoll werden nach 10 Jahren gelöscht.",
  keptPayments: "Zahlungen und Erstattungen: Betrag, Händler, Zeit und Ergebnis",
  keptMandates: "Mandate und der Text, den Sie genehmigt haben: der Nachweis Ihrer Erlaubnis",
  keptAudit: "Das Prüfprotokoll: wer wann was getan hat",
};
