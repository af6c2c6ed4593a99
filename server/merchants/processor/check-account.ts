import type { Deps } from "../../deps/deps.ts";
import type { ProcessorState } from "../rules/processor-state.ts";
import { refreshAccount } from "./refresh-account.ts";
import { takeProcessorRequest } from "./take-processor-request.ts";

/**
 * A member asks for the current state of the merchant's account. Unlike the processor's events and the hourly job, members
 * have a limit.
 * @throws DomainError too_many_processor_requests, and those of `refreshAccount`.
 */
export const checkAccount = async (
  deps: Deps,
  { merchantId, requestId }: { merchantId: string; requestId: string },
): Promise<ProcessorState> => {
  await takeProcessorRequest(deps, { merchantId });
  return refreshAccount(deps, { merchantId, requestId });
};
