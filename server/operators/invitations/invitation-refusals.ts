import { DomainError } from "../../kernel/errors.ts";

/** The same error for an unknown, an expired, a used, a canceled and a replaced link. */
export const invitationGoneRefusal = (): DomainError =>
  new DomainError("not_found", {
    code: "invitation_gone",
    message: "This link has expired, was already used, or was canceled or replaced. Ask an admin for a new one.",
  });

export const accountExistsRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "address_taken",
    message: "This address already has an account. Sign in, then accept the invitation.",
  });

export const otherAccountRefusal = (): DomainError =>
  new DomainError("forbidden", {
    code: "invitation_for_another",
    message: "This link is for another address. Sign out, then sign in with the invited address.",
  });
