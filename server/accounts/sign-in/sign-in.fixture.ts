import type { SignIn } from "../sessions/start-session.ts";
import { signIn } from "./sign-in.ts";

/** Signs in to an account. @throws Error if the code of the sign-up wasn't entered yet. */
export const signInToAccount = async (...input: Parameters<typeof signIn>): Promise<SignIn> => {
  const outcome = await signIn(...input);
  if (outcome.kind !== "signed_in") throw new Error("the address isn't verified");
  return outcome;
};
