import type { errorPage as en } from "../../en/shared/error-page.ts";
import type { Texts } from "../../texts.ts";

export const errorPage: Texts<typeof en> = {
  title: "Hier geht es nicht weiter",
  unknownRequest:
    "Diese Anfrage ist unbekannt, abgelaufen oder schon erledigt. Wenn Sie zugestimmt haben, zeigt Ihre Wallet das Mandat. Beginnen Sie sonst in der App noch einmal.",
  wallet: "Meine Wallet öffnen",
  malformed: "Der Link ist fehlerhaft. Kehren Sie zur App zurück, und beginnen Sie noch einmal.",
  busy: "Aus Ihrem Netz kamen zu viele Anfragen. Warten Sie {seconds, plural, one {eine Sekunde} other {# Sekunden}}, und laden Sie diese Seite dann neu.",
  unavailable:
    "Der Dienst ist vorübergehend nicht verfügbar. Warten Sie eine Minute, und laden Sie diese Seite dann neu.",
  unavailablePageTitle: "Der Dienst ist vorübergehend nicht verfügbar",
  unavailablePage:
    "Diese Seite kann gerade nicht geladen werden. Warten Sie einige Sekunden, und versuchen Sie es dann noch einmal.",
  loadAgain: "Noch einmal versuchen",
  fault: "Bei uns ist ein Fehler aufgetreten. Es wurde nichts genehmigt. Bitte versuchen Sie es noch einmal.",
};
