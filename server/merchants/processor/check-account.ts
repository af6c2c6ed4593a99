import type { Deps } from "../../deps/deps.ts";
import type { ProcessorState } from "../rules/processor-state.ts";
import { refreshAccount } from "./refresh-account.ts";
import { takeProcessorRequest } from "./take-processor-request.ts";

/**
 * Gets the current state of the merchant's account for a member. The requests of members are limited, unlike those
 * caused by the processor's events and by the hourly job.
 * @throws DomainError too_many_processor_requests, and those of `refreshAccount`.
 */
export const checkAccount = async (
  deps: Deps,
  { merchantId, requestId }: { merchantId: string; requestId: string },
): Promise<ProcessorState> => {
  await takeProcessorRequest(deps, { merchantId });
  return refreshAccount(deps, { merchantId, requestId });
};
