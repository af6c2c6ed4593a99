import type { formRefusal as en } from "../../en/shared/form-refusal.ts";
import type { Texts } from "../../texts.ts";

export const formRefusal: Texts<typeof en> = {
  back: "Zurück",
  invalidTitle: "Das Formular kann nicht angenommen werden",
  invalid:
    "Es wurde nichts geändert. Eine Angabe fehlt, ist zu lang oder enthält Zeichen, die nicht möglich sind. Gehen Sie mit der Zurück-Taste Ihres Browsers zurück, dann bleiben Ihre Eingaben erhalten. Prüfen Sie Ihre Angaben und senden Sie das Formular noch einmal.",
  foreignTitle: "Das Formular kann nicht angenommen werden",
  foreign:
    "Es wurde nichts geändert. Das Formular kam nicht von einer Seite dieser Website, oder Ihr Browser verbirgt, woher es kam. Gehen Sie zurück und senden Sie das Formular noch einmal.",
  busyTitle: "Zu viele Anfragen",
  busy: "Es wurde nichts geändert. Aus Ihrem Netz kamen zu viele Anfragen. Warten Sie {seconds, plural, one {eine Sekunde} other {# Sekunden}} und laden Sie dann diese Seite neu. Ihr Browser sendet das Formular noch einmal, mit Ihren Angaben.",
  unavailableTitle: "Der Dienst ist vorübergehend nicht verfügbar",
  unavailable:
    "Warten Sie eine Minute und laden Sie dann diese Seite neu. Ihr Browser sendet das Formular noch einmal, mit Ihren Angaben.",
  faultTitle: "Auf unserer Seite ist ein Fehler aufgetreten",
  fault:
    "Laden Sie diese Seite neu, um es noch einmal zu versuchen. Ihr Browser sendet das Formular noch einmal, mit Ihren Angaben. Wenn der Fehler bleibt, nennen Sie uns die Kennung unten.",
  wrongMethodTitle: "Diese Adresse nimmt nur ein Formular an",
  wrongMethod: "Hier gibt es nichts anzuzeigen. Gehen Sie zurück und senden Sie das Formular noch einmal.",
};
