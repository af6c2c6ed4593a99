/** Account access: recovery codes, password reset, and confirmation of a new e-mail address. */
export const accountAccess = {
  email: "E-mail",
  backToSignIn: "Back to sign-in",
  recovery: {
    title: "Use a recovery code",
    intro: "Each of your ten recovery codes signs you in once, without password or passkey.",
    code: "Recovery code",
    hint: "Three groups of four characters, like 7K2M-90AB-1XYZ.",
    submit: "Sign in",
  },
  reset: {
    title: "Reset your password",
    intro: "Enter the e-mail address of your account. We send you a link to choose a new password.",
    submit: "Send the link",
    sentTitle: "Check your e-mail",
    sentText: "We sent a message to the address that you entered. Open its link to choose a new password.",
    sentHint:
      "The link works for 30 minutes. If there’s no account with the address, the message says so. Check your spam folder too.",
    again: "Enter another address",
  },
  newPassword: {
    title: "Choose a new password",
    intro: "For {email}. All other sessions of your account will end.",
    password: "New password",
    hint: "At least 12 characters. A few random words work well.",
    submit: "Save and sign in",
    goneTitle: "This link no longer works",
    goneText: "It expired or was already used, or your password or e-mail address changed. Request a new one.",
    requestNew: "Request a new link",
  },
  emailChange: {
    title: "Confirm your new e-mail address",
    intro: "After you confirm, you sign in with {email}, and we send all e-mails to it.",
    account: "Account",
    current: "Current e-mail",
    onlyYours: "Confirm only if this is your account. Otherwise, close this page.",
    confirm: "Use this address",
    doneTitle: "Your e-mail address was changed",
    doneText: "We also sent an e-mail to your old address.",
    takenTitle: "This address is in use",
    takenText: "Another account uses this address now. Choose another one in your profile.",
    goneTitle: "This link no longer works",
    goneText: "It expired or was already used, or the change was canceled or replaced. Start again in your profile.",
    toProfile: "Go to your profile",
  },
  problems: {
    failed: "Something went wrong on our side. Please try again.",
    recovery_code_refused:
      "E-mail and recovery code don’t match an account, or the code was already used. Check both, then try again.",
    too_many_attempts: "Too many attempts. Wait a few minutes, then try again.",
    reset_link_gone:
      "This link expired or was already used, or your password or e-mail address changed. Request a new one.",
    password_too_short: "Use at least 12 characters.",
    password_too_long: "Use at most 128 characters.",
    password_has_email: "Choose a password that doesn’t contain your e-mail address.",
    password_common: "This is one of the most common passwords. Choose another one.",
  },
} as const;
