/** Export and deletion of an account. */
export const privacy = {
  title: "Privacy",
  intro: "Your data, and what happens to it.",
  exportTitle: "Export your data",
  exportText:
    "You get one JSON file with the data that is stored about you. Secrets, such as passwords and codes, are left out. The file is ready within a minute and can be downloaded for 7 days.",
  requestExport: "Export my data",
  confirmAndExport: "Confirm and export",
  requested: "Requested {at}",
  preparing: "Preparing…",
  until: "available until {at}",
  download: "Download",
  downloadOf: "Download the export of {at}",
  deleteTitle: "Delete your account",
  deleteText:
    "If you delete your account, all your mandates stop immediately. 14 days later, your personal data is deleted. Until then, you can cancel the deletion.",
  delete: "Delete my account",
  confirmAndDelete: "Confirm and delete",
  confirmTitle: "Delete your account?",
  effectMandates: "All your mandates stop now. They aren’t restored, even if you cancel the deletion later.",
  effectCharges:
    "Payments that were already submitted may still complete. Payments that wait for your approval are canceled.",
  effectData:
    "On {date}, your name, e-mail address and passkeys are deleted, your payment methods are removed, and all sessions end.",
  effectContract: "Contracts with merchants don’t end.",
  keepForNow: "Keep my account for now",
  scheduled: "Your account will be deleted on {date}.",
  scheduledText: "Your mandates have stopped. You can still export your data.",
  keep: "Keep my account",
  keptTitle: "What is kept, and why",
  keptText:
    "The law requires records of payments. They have an ID in place of your name and e-mail address. Payments, refunds and the audit log are deleted after 10 years.",
  keptPayments: "Payments and refunds: amount, merchant, time and outcome",
  keptMandates: "Mandates and the text that you approved: proof of your permission",
  keptAudit: "The audit log: who did what, and when",
} as const;
