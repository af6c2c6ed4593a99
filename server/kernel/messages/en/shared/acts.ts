/** Dialogs, forms and errors of actions in the portals. */
export const acts = {
  failed: "Something went wrong. Please try again.",
  signedOut: "Your session has ended. Sign in again, then repeat the action.",
  unreachable: "The service can’t be reached. Please try again in a moment.",
  cancel: "Cancel",
  back: "Back",
  confirmTitle: "Confirm that it’s you",
  confirmByPassword: "You last signed in a while ago. Enter the password of <b>{email}</b> again.",
  confirmByPasskey: "You last signed in a while ago. Use a passkey, or enter the password of <b>{email}</b> again.",
  password: "Password",
} as const;
