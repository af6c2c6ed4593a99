/** E-mails about the sign-in methods of an account. */
export const securityMails = {
  time: "Time",
  device: "Device",
  place: "Place",
  unknownDevice: "Unknown device",
  checkSecurity: "Check your account’s security",
  reset: {
    subject: "Choose a new password",
    text: "You asked to reset your password. The link works once, until {expires}.",
    link: "Choose a new password",
    unexpected: "If you didn’t ask for this, ignore this e-mail. Your password stays the same.",
  },
  unknown: {
    subject: "There’s no account with this address",
    text: "Someone, probably you, asked to reset the password of an account with this e-mail address. There’s no such account. Perhaps you used another address.",
    link: "Create an account",
    unexpected: "If you didn’t ask for this, ignore this e-mail.",
  },
  emailCode: {
    subject: "Your code for the new e-mail address",
    text: "Confirm that this address is yours. The code and the link work until {expires}.",
    code: "Code",
    link: "Confirm the address",
    unexpected: "If you didn’t ask for this, ignore this e-mail. Nothing changes without the code.",
  },
  emailTaken: {
    subject: "Your address already has an account",
    text: "Someone, probably you, wants to use this e-mail address for another account. The address already has an account, so nothing was changed.",
    link: "Sign in",
    unexpected: "If it wasn’t you, ignore this e-mail. Your account is safe.",
  },
  emailChanged: {
    subject: "Your e-mail address was changed",
    text: "From now on, you sign in with the new address, and we send all e-mails to it.",
    newEmail: "New address",
    unexpected:
      "If you didn’t do this, someone else has access to your account. Sign in with a passkey or a recovery code and change the address back, or contact us immediately.",
  },
  newSignIn: {
    subject: "New sign-in to your account",
    text: "Someone signed in to your account in a browser that we don’t know.",
    unexpected: "If it wasn’t you, end this session under Security immediately, and change your password.",
  },
  signedOut: {
    subject: "You were signed out everywhere",
    text: "Paygrant’s support ended all sessions of your account. Your password, passkeys and connected apps didn’t change. Sign in again to continue.",
    unexpected:
      "If you didn’t ask for this, check the recent sign-ins under Security. If you don’t recognize one of them, change your password.",
  },
  password: {
    set: { subject: "A password was added to your account", text: "You can now sign in with a password too." },
    changed: { subject: "Your password was changed", text: "The earlier password no longer works." },
    removed: {
      subject: "Your password was removed",
      text: "You sign in with your passkeys only. The password no longer works.",
    },
    reset: {
      subject: "Your password was reset",
      text: "A new password was set through a link in an e-mail. All earlier sessions have ended, and the recovery codes no longer work. Passkeys still work.",
    },
    unexpected:
      "If it wasn’t you, reset your password on the sign-in page immediately. Then, under Security, end the sessions and remove the passkeys that you don’t recognize.",
  },
  newCodes: {
    subject: "You have new recovery codes",
    text: "Ten new recovery codes were created for your account. Earlier codes no longer work.",
    unexpected:
      "If it wasn’t you, create new codes under Security immediately, and end the sessions that you don’t recognize.",
  },
  codeUsed: {
    subject: "A recovery code was used",
    text: "{left, plural, =0 {You have no recovery codes left. Create new ones.} one {You have # recovery code left.} other {You have # recovery codes left.}}",
    unexpected:
      "If it wasn’t you, create new codes under Security immediately, and end the sessions that you don’t recognize.",
  },
} as const;
