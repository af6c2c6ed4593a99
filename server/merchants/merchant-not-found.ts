import { DomainError } from "../kernel/errors.ts";

export const merchantNotFound = (): DomainError =>
  new DomainError("not_found", "not_found", "Merchant not found. Check the id.");
