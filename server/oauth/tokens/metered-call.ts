import type { MeteredCall } from "../../data/billing/meters/metering.ts";
import type { ClientRow } from "../../data/oauth/clients.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { dateId } from "../../kernel/time/dated.ts";

/**
 * A metered call (docs/spec/billing.md, Meters), billed to the merchant whose own client made it. Null for an agent's
 * call, which isn't billed.
 */
export const meteredCallOf = async (
  { businessClock }: Pick<Deps, "businessClock">,
  { merchantId }: Pick<ClientRow, "merchantId">,
): Promise<MeteredCall | null> => {
  if (merchantId === null) return null;
  const at = await businessClock.now();
  return { id: dateId(newId("mev"), at), merchantId, at };
};
