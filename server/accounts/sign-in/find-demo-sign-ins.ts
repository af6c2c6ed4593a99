import { findAccountByEmail } from "../../data/accounts/accounts.ts";
import type { Deps } from "../../deps/deps.ts";

export type DemoSignIn = { who: string; email: string; password: string };

/**
 * Public by design: demo accounts exist and work only while BASE_URL is a loopback address (docs/spec/operations.md,
 * Demo data).
 */
const demoSignIns: readonly DemoSignIn[] = ["payer", "merchant", "operator"].map((who) => ({
  who,
  email: `${who}@demo.paygrant.test`,
  password: "paygrant-demo",
}));

/** The demo accounts that the sign-in form offers; empty without demo accounts. */
export const findDemoSignIns = async (deps: Pick<Deps, "db" | "config">): Promise<DemoSignIn[]> => {
  if (!deps.config.isLoopback) return [];
  const accounts = await Promise.all(demoSignIns.map(({ email }) => findAccountByEmail(deps.db, email)));
  return demoSignIns.filter((_, index) => accounts[index]?.isDemo);
};
