/** E-mails about the account: sign-up, security, privacy, and invitations to teams. */
export const accountMails = {
  verification: {
    subject: "Your Paygrant code",
    text: "Enter this code on the page where you create your account:",
    expires: "The code and the link work until {time}.",
    link: "Confirm this e-mail address",
    unexpected:
      "If it wasn’t you, ignore this e-mail. Nothing happens without the code. Don’t give the code to anyone.",
  },
  accountExists: {
    subject: "You already have a Paygrant account",
    text: "Someone, probably you, tried to create a Paygrant account with this e-mail address. You already have one, so nothing was changed. You can sign in.",
    link: "Sign in",
    reset: "Forgot your password? Reset it here",
    unexpected: "If it wasn’t you, you can ignore this e-mail.",
  },
  passkeyAdded: {
    subject: "A passkey was added to your account",
    text: "A passkey was added to your account. You can now use it to sign in.",
    unexpected:
      "If it wasn’t you, remove the passkey under Security immediately. Also end the sessions that you don’t recognize.",
  },
  passkeyRemoved: {
    subject: "A passkey was removed from your account",
    text: "A passkey was removed from your account. It no longer works. Your other ways to sign in still work.",
    unexpected: "If it wasn’t you, go to Security and end the sessions that you don’t recognize.",
  },
  passkey: "Passkey",
  passkeyLink: "Passkeys and sessions",
  when: "When",
  invitation: {
    subject: "{inviter} invites you to {organization}",
    text: "{inviter} invites you to join {organization} on Paygrant.",
    role: "Role",
    roles: { owner: "Owner", admin: "Administrator", developer: "Developer", viewer: "Viewer" },
    expires: "Works until",
    link: "See the invitation",
    unexpected: "If you don’t know the person who invited you, ignore this e-mail. Nothing happens unless you accept.",
  },
  dataExportReady: {
    subject: "Your Paygrant data is ready",
    text: "The copy of your data that you asked for is ready. Sign in to download it.",
    expires: "Available until",
    link: "Download your data",
    unexpected: "If you didn’t ask for it, check the sessions of your account under Security.",
  },
  deletionScheduled: {
    subject: "Your Paygrant account will be deleted on {date}",
    text: "Your account will be deleted on {date}. All apps and agents have already been stopped. Until then, you can cancel the deletion.",
    date: "Will be deleted",
    link: "Keep my account",
    kept: "We keep records of payments for as long as the law requires. The Privacy page lists them.",
    unexpected: "If it wasn’t you, keep your account and change your password.",
  },
  deletionCancelled: {
    subject: "Your Paygrant account will not be deleted",
    text: "The deletion of your account was canceled. Apps and agents that were stopped remain stopped. They can request your approval again.",
    link: "Open your wallet",
    unexpected: "If it wasn’t you, change your password and end the sessions that you don’t recognize.",
  },
  accountDeleted: {
    subject: "Your Paygrant account was deleted",
    text: "Your account was deleted. You can’t sign in any more. We keep records of payments only for as long as the law requires.",
  },
} as const;
