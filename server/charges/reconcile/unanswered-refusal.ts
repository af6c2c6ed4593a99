import { DomainError } from "../../kernel/errors.ts";

/** The answer to an event that the processor must send again, because it cannot be asked about it now. */
export const unansweredRefusal = (): DomainError =>
  new DomainError("unavailable", {
    code: "processor_unavailable",
    message: "The processor is unavailable. Send the event again.",
    headers: { "retry-after": "5" },
  });
