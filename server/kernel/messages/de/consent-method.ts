import type { consentMethod as en } from "../en/consent-method.ts";
import type { Texts } from "../texts.ts";

export const consentMethod: Texts<typeof en> = {
  needed:
    "Fügen Sie ein Zahlungsmittel hinzu, um zuzustimmen. Ihre Eingaben bleiben erhalten, und jetzt wird nichts abgebucht.",
  another: "Weiteres Zahlungsmittel hinzufügen",
  testCard: "Testkarte",
  testCardHint: "Testkarten bewegen kein echtes Geld.",
  add: "Karte hinzufügen",
  addAtStripe: "Karte bei Stripe hinzufügen",
  unavailable: "Zurzeit kann hier kein Zahlungsmittel hinzugefügt werden.",
  pending: "Stripe hat Ihre Karte noch nicht bestätigt. Laden Sie diese Seite in einer Minute neu.",
  ended: "Es wurde keine Karte hinzugefügt. Sie können es erneut versuchen.",
  tooMany:
    "Sie haben zu viele Zahlungsmittel, oder Sie haben zu viele Kartenseiten geöffnet. Entfernen Sie ein Zahlungsmittel in Ihrer Wallet oder versuchen Sie es später erneut.",
  failed: "Die Karte konnte nicht hinzugefügt werden. Versuchen Sie es in einer Minute erneut.",
};
