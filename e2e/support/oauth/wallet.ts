import { type Answer, postJson } from "../answers/wire.ts";
import { signIn } from "./consent-driver.ts";

/** What a button of the wallet does, as the demo payer. */
const press = async (baseUrl: string, button: string, input: object): Promise<Answer> =>
  postJson(`${baseUrl}/api/trpc/wallet.${button}`, input, { cookie: await signIn(baseUrl), origin: baseUrl });

export const revokeInWallet = (baseUrl: string, mandateId: string): Promise<Answer> =>
  press(baseUrl, "revoke", { mandateId });

/** A limit's key, as in the wallet: `per_payment`, `total`, `total_count`, `day:calendar` … */
export const narrowInWallet = (
  baseUrl: string,
  narrowing: { mandateId: string; limitKey: string; capMinor: number },
): Promise<Answer> => press(baseUrl, "narrow", narrowing);

/** A payment that waits for the payer's approval. */
export const answerInWallet = (baseUrl: string, word: "approve" | "decline", chargeId: string): Promise<Answer> =>
  press(baseUrl, word, { chargeId });
