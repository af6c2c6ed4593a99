import type { Deps } from "../../deps/deps.ts";
import { type OwnAccount, UnconfiguredProcessor } from "../../deps/processor-port.ts";

/** Our own account at a processor. @throws UnconfiguredProcessor if we have none there. */
export const getOwnAccount = ({ processors }: Pick<Deps, "processors">, processor: string): OwnAccount => {
  const { ownAccount } = processors.get(processor);
  if (!ownAccount) throw new UnconfiguredProcessor(processor);
  return ownAccount;
};
