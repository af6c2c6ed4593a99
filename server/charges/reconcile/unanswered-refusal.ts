import { DomainError } from "../../kernel/errors.ts";

/**
 * The answer to an event if the processor can't be asked about its object now. The processor must send the event again.
 */
export const unansweredRefusal = (): DomainError =>
  new DomainError("unavailable", {
    code: "processor_unavailable",
    message: "The processor is unavailable. Send the event again.",
    headers: { "retry-after": "5" },
  });
