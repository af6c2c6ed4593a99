import { appendAudit } from "../data/audit.ts";
import { type Decision, findDecision } from "../data/mandate-decision.ts";
import type { Deps } from "../deps.ts";
import { DomainError } from "../kernel/errors.ts";
import type { Reason } from "../mandates/decide-use.ts";

/** One answer for an unknown id and for a merchant that `payees` doesn't name: an id is no secret and tells nothing. */
export const permissionNotFound = (): DomainError =>
  new DomainError("not_found", "mandate_not_found", "There is no such mandate for this merchant.");

type Credentials = {
  mandate_id?: string | undefined;
  presentation?: string | undefined;
  mandate_token?: string | undefined;
  mandate_token_proof?: string | undefined;
};

/** @returns the mandate's id. @throws DomainError naming the field of a credential that isn't supported yet. */
export const readCredential = (body: Credentials): string => {
  for (const field of ["presentation", "mandate_token", "mandate_token_proof"] as const) {
    if (body[field] !== undefined) throw unsupportedField(`/${field}`, "is not supported yet; use mandate_id");
  }
  return body.mandate_id ?? "";
};

export const unsupportedField = (pointer: string, detail: string): DomainError =>
  new DomainError("invalid", "invalid_request", `${pointer.slice(1)} ${detail}.`, { errors: [{ pointer, detail }] });

/** @returns null where this merchant has no standing permission, whatever the reason. */
export const findPermission = (
  deps: Pick<Deps, "db">,
  input: { mandateId: string; merchantId: string; at: Date },
): Promise<Decision | null> => findDecision(deps.db.sql, input);

/** 403: refused by the mandate, with the reasons of verify; makes no charge and leaves the key free. */
export const refusedByMandate = (reasons: readonly Reason[]): DomainError =>
  new DomainError("forbidden", "refused_by_mandate", "The payer's mandate does not allow this payment.", {
    members: { reasons },
  });

/** The payer sees what was tried and refused. */
export const recordRefusal = (
  deps: Deps,
  input: {
    mandateId: string;
    merchantId: string;
    clientId: string;
    requestId: string;
    at: Date;
    reasons: readonly Reason[];
  },
): Promise<void> =>
  appendAudit(deps.db.sql, {
    at: input.at,
    actor: { kind: "client", id: input.clientId },
    action: "charge.refused",
    subjectId: input.mandateId,
    requestId: input.requestId,
    data: { merchant_id: input.merchantId, codes: input.reasons.map(({ code }) => code) },
  });
