import { DomainError } from "../kernel/errors.ts";

export const merchantNotFound = (): DomainError =>
  new DomainError("not_found", { code: "not_found", message: "Merchant not found. Check the ID." });
