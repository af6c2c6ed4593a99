/** Receipts as PDF. */
export const receipts = {
  charge: "Payment receipt",
  mandate: "Mandate receipt",
  brand: "Paygrant",
  sandbox: "Sandbox: no real money moved",
  issued: "As of {date}",
  footer: "This receipt shows Paygrant’s records. It is not an invoice.",
  page: "Page {page} of {pages}",
  amount: "Amount",
  status: "Status",
  payer: "Payer",
  used: "Used",
  held: "Held",
  left: "Left",
  resets: "Resets",
} as const;
