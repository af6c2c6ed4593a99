/** Payments that merchants have announced. */
export const upcoming = {
  title: "Upcoming",
  intro:
    "Payments that merchants have announced. Nothing is reserved. While a mandate is paused, new payments are refused.",
  expected: "Announced",
  earlier: "Earlier announced payments",
  upcomingLink: "Announced payments",
  caption: "Announced payments",
  columns: { merchant: "Merchant", mandate: "Mandate", due: "Due", status: "Status", amount: "Amount" },
  statuses: { announced: "Announced", charged: "Charged", canceled: "Canceled", past: "Not charged" },
  search: "Search by merchant, app, purpose or reference",
  noMatch: "No announced payment matches “{search}”.",
  clearSearch: "Clear the search",
  paused: "Mandate paused",
  empty: "No announced payments",
  emptyText:
    "When a merchant announces a payment, you get an e-mail at least 24 hours before the payment, and the payment appears here.",
  earlierEmpty: "No earlier announced payments",
  earlierEmptyText:
    "Announced payments move here after they are charged or canceled, or if they aren’t charged in time.",
  notice: {
    title: "{merchant} will charge {amount}",
    titlePast: "{merchant} announced {amount}",
    by: "Payment through {agent}",
    status: {
      announced:
        "Announced. If you agree, you don’t need to do anything now. If the payment needs your approval, you get an e-mail.",
      announcedPaused: "The mandate is paused, so {merchant} can’t charge this payment. To pay, resume the mandate.",
      charged: "This payment was made.",
      canceled: "This payment won’t be made.",
      past: "This payment wasn’t made in time.",
    },
    due: "Due",
    reference: "Reference",
    noReference: "Not given",
    mandate: "Mandate",
    announced: "Announced on",
    pauseTitle: "Pause this mandate",
    pauseText: "While this mandate is paused, new payments are refused. You can resume it at any time.",
    seeCharge: "See the payment",
    seeMandate: "See the mandate",
    back: "All announced payments",
    notFound: "Announced payment not found",
    notFoundText: "This announced payment isn’t one of yours, or the address is wrong.",
  },
} as const;
