/** Passkeys, on the sign-in page and on all pages that request one. */
export const passkey = {
  use: "Use a passkey",
  or: "or",
  notUsed: "No passkey was used. Try again when you’re ready.",
  alreadyAdded: "This device or password manager already has a passkey for your account.",
  wrongAddress: "Passkeys don’t work at this address.",
  noVerification: "This device can’t store a passkey that asks for a PIN, fingerprint or face.",
  unsupported: "The passkey didn’t work in this browser or on this device. Try another browser or device.",
} as const;
