import { findAccountByEmail } from "../data/accounts.ts";
import type { Deps } from "../deps.ts";

/** Public by design: demo accounts exist and work only while BASE_URL is a loopback address (0-product, Demo data). */
const demoEmail = "payer@demo.paygrant.test";
const demoPassword = "paygrant-demo";

/** What the sign-in form may offer to fill in; null where there is no demo payer. */
export const findDemoSignIn = async (
  deps: Pick<Deps, "db" | "config">,
): Promise<{ email: string; password: string } | null> => {
  if (!deps.config.isLoopback) return null;
  const account = await findAccountByEmail(deps.db, demoEmail);
  return account?.isDemo ? { email: demoEmail, password: demoPassword } : null;
};
