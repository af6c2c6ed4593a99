import { DomainError } from "../../kernel/errors.ts";

/** The same answer for an unknown offer, an offer that ended, and an offer between other merchants. */
export const transferNotOpen = (): DomainError =>
  new DomainError("not_found", {
    code: "transfer_not_open",
    message: "This offer isn’t open any more. Reload the page.",
  });
