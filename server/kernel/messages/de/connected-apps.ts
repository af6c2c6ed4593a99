import type { connectedApps as en } from "../en/connected-apps.ts";
import type { Texts } from "../texts.ts";

export const connectedApps: Texts<typeof en> = {
  title: "Verbundene Apps",
  intro: "Die Apps und Agenten, die Sie genehmigt haben. Wenn Sie eine App trennen, enden alle ihre Mandate.",
  empty: "Keine verbundenen Apps",
  search: "Nach App suchen",
  noMatch: "Keine verbundene App hat „{search}“ im Namen.",
  clearSearch: "Suche zurücksetzen",
  emptyText: "Apps und Agenten erscheinen hier, nachdem Sie ihre Anfragen genehmigt haben.",
  connected: "Verbunden am {date}",
  approved: "zuletzt genehmigt am {date}",
  mandates:
    "{count, plural, =0 {keine aktiven oder pausierten Mandate} one {1 aktives oder pausiertes Mandat} other {# aktive oder pausierte Mandate}}",
  scopes: {
    grant_management_query: "kann die eigenen Berechtigungen sehen",
    grant_management_revoke: "kann die eigenen Berechtigungen aufgeben",
  },
  showMandates: "Mandate anzeigen",
  showMandatesOf: "Mandate anzeigen: {name}",
  disconnect: "Trennen",
  disconnectOf: "Trennen: {name}",
  confirmTitle: "{name} trennen?",
  effectMandates:
    "{count, plural, =0 {Die App hat keine aktiven oder pausierten Mandate.} one {Ihr Mandat endet sofort.} other {Alle # Mandate enden sofort.}}",
  effectAccess: "Die App kann nichts mehr von Ihnen sehen oder verwenden. Sie müsste Sie erneut um Genehmigung bitten.",
  effectCharges:
    "Bereits übermittelte Zahlungen können noch ausgeführt werden. Zahlungen, die auf Ihre Freigabe warten, werden storniert.",
  effectContract: "Verträge mit Händlern enden nicht. Wenden Sie sich an den Händler, um einen Vertrag zu kündigen.",
  disconnectIt: "Trennen",
  keepIt: "Behalten",
};
