/**
 * `code`: the address isn't verified yet. `continue`: verified by the link, and this browser may open the session.
 * `credential`: verified, and needs a passkey or a password. `sign_in`: verified, but too long ago. `done`: the session
 * was opened, or the sign-up ended without one.
 */
export type SignUpState = "code" | "continue" | "credential" | "sign_in" | "done";

type Stored = {
  passwordHash: string | null;
  verifiedAt: Date | null;
  completedAt: Date | null;
  codeExpiresAt: Date;
};

/** The next step for a browser with the sign-up's cookie. */
export const signUpStateOf = (
  { passwordHash, verifiedAt, completedAt, codeExpiresAt }: Stored,
  now: Date,
): SignUpState => {
  if (completedAt !== null) return "done";
  if (verifiedAt === null) return "code";
  if (passwordHash === null) return "credential";
  // The password was typed before the code was sent, so the session is opened only while the code is valid.
  return codeExpiresAt > now ? "continue" : "sign_in";
};
