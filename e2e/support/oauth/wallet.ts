import { type Answer, postJson } from "../answers/wire.ts";
import { signIn } from "./consent-driver.ts";

/** Calls the procedure of a wallet button as the demo payer. */
const callProcedure = async (baseUrl: string, button: string, input: object): Promise<Answer> =>
  postJson(`${baseUrl}/api/trpc/wallet.${button}`, input, { cookie: await signIn(baseUrl), origin: baseUrl });

export const revokeInWallet = (baseUrl: string, mandateId: string): Promise<Answer> =>
  callProcedure(baseUrl, "revoke", { mandateId });

/** A limit's key, as in the wallet: `per_payment`, `total`, `total_count`, `day:calendar` … */
export const narrowInWallet = (
  baseUrl: string,
  narrowing: { mandateId: string; limitKey: string; capMinor: number },
): Promise<Answer> => callProcedure(baseUrl, "narrow", narrowing);

/** Approves or declines a payment that waits for the payer. */
export const answerInWallet = (baseUrl: string, word: "approve" | "decline", chargeId: string): Promise<Answer> =>
  callProcedure(baseUrl, word, { chargeId });
