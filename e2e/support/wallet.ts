import { signIn } from "./consent-driver.ts";
import { type Answer, postJson } from "./wire.ts";

/** What the wallet's button does, as the demo payer. */
export const revokeInWallet = async (baseUrl: string, mandateId: string): Promise<Answer> =>
  postJson(`${baseUrl}/api/trpc/wallet.revoke`, { mandateId }, { cookie: await signIn(baseUrl), origin: baseUrl });
