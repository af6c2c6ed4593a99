/** The apps and agents that can act for a payer. */
export const connectedApps = {
  title: "Connected apps",
  intro: "The apps and agents that you approved. If you disconnect an app, all its mandates stop.",
  empty: "No connected apps",
  search: "Search by app",
  noMatch: "No connected app has “{search}” in its name.",
  clearSearch: "Clear the search",
  emptyText: "Apps and agents appear here after you approve their requests.",
  connected: "Connected {date}",
  approved: "last approved {date}",
  mandates:
    "{count, plural, =0 {no active or paused mandates} one {1 active or paused mandate} other {# active or paused mandates}}",
  scopes: {
    grant_management_query: "can see its own permissions",
    grant_management_revoke: "can give up its own permissions",
  },
  showMandates: "Show mandates",
  showMandatesOf: "Show mandates: {name}",
  disconnect: "Disconnect",
  disconnectOf: "Disconnect: {name}",
  confirmTitle: "Disconnect {name}?",
  effectMandates:
    "{count, plural, =0 {It has no active or paused mandates.} one {Its mandate stops immediately.} other {Its # mandates stop immediately.}}",
  effectAccess: "It can no longer access anything in your account. To act for you again, it would need your approval.",
  effectCharges:
    "Payments that were already submitted may still complete. Payments that wait for your approval are canceled.",
  effectContract: "Contracts with merchants don’t end. To cancel a contract, contact the merchant.",
  disconnectIt: "Disconnect it",
  keepIt: "Keep it",
} as const;
