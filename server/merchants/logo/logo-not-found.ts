import { DomainError } from "../../kernel/errors.ts";

export const logoNotFound = (): DomainError =>
  new DomainError("not_found", { code: "not_found", message: "Logo not found. It may have been replaced." });
