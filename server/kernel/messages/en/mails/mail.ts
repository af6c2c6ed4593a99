/** The texts that every e-mail to a payer contains. */
export const mail = {
  sandbox: "This e-mail is from the sandbox: no real money moves.",
  reason: "You get this e-mail because it concerns your use of Paygrant.",
  noReply: "Please don’t reply to this e-mail.",
  unsubscribe: "Choose which e-mails you get, or unsubscribe",
  copyLink: "If the button doesn’t work, open this address:",
} as const;
