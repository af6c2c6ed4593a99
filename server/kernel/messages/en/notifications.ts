/** The choice of optional e-mails. */
export const notifications = {
  title: "Notifications",
  intro: "Choose which e-mails you get at {email}.",
  optional: "Your choice",
  always: "Always sent",
  kinds: {
    consent_given: "Approved requests",
    mandate_changed: "Changed mandates",
    limit_near: "Limits almost used up",
    charge_failed: "Failed payments",
  },
  notes: {
    consent_given: "A summary when you approve an app or agent",
    mandate_changed: "When a mandate is changed or stopped, or when Paygrant pauses or resumes it",
    limit_near: "When 80% of a limit is used",
    charge_failed: "When the bank declines a payment, at most once an hour for each mandate",
  },
  required: {
    approvals: "Payments that need your approval",
    announced: "Payments that a merchant announces",
    security:
      "Security: sign-ins in a new browser, and changes to passkeys, password, recovery codes or e-mail address",
    privacy: "Exports of your data, and the deletion of your account",
  },
  requiredText: "You need these e-mails to keep control of your money and your account.",
  saved: "Saved.",
  /** the page that the link in an e-mail opens */
  link: {
    title: "E-mails: {kind}",
    on: "You get this kind of e-mail.",
    off: "You no longer get this kind of e-mail.",
    stop: "Stop these e-mails",
    start: "Send these e-mails again",
    change: "Change this choice",
    all: "E-mail settings in the wallet",
    goneTitle: "This link isn’t valid",
    goneText: "Copy the whole link from the e-mail, or change your e-mail settings in the wallet.",
  },
} as const;
