import { readIfMatch } from "../../contract/cacheable.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { editParticipant } from "../../directory/participants/edit-participant.ts";
import { participantEditSchema, participantSchema, toEdit } from "../../directory/participants/participant.wire.ts";
import { DomainError } from "../../kernel/errors.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import { ownContract, ownErrorCodes, participantExample, participantParams } from "./contract.ts";

export const editParticipantEndpoint = defineEndpoint({
  ...ownContract,
  method: "PUT",
  path: "/directory/v1/participants/{participant_id}",
  operationId: "editParticipant",
  summary: "Replace or withdraw a participant's entry. The caller must be a client of the participant",
  standards: ["RFC 9110", "RFC 6585"],
  errorCodes: ["invalid_request", "precondition_required", "precondition_failed", ...ownErrorCodes],
  request: {
    content: "json",
    params: participantParams,
    body: participantEditSchema,
    headers: {
      "If-Match": { description: "Entity tag of the entry that you read (RFC 9110 §13.1.1)", required: true },
    },
    example: {
      display_name: "Fresh Market",
      legal_name: "Fresh Market Ltd",
      website_uri: "https://fresh-market.example/",
      contacts: ["payments@fresh-market.example"],
      metadata_documents: ["https://fresh-market.example/.well-known/oauth-protected-resource"],
      max_charge_amounts: [{ currency: "EUR", amount: 250_000 }],
    },
  },
  responses: {
    200: {
      description: "The changed entry",
      schema: participantSchema,
      example: participantExample,
      headers: { etag: "Entity tag of the entry", "cache-control": noStore["cache-control"] },
    },
  },
  async handle({ deps, info, caller, request }, { params, body }) {
    const hasRead = readIfMatch(request);
    if (!hasRead) {
      const detail = "The If-Match header is missing. Send the ETag of the entry that you read.";
      throw new DomainError("invalid", { code: "precondition_required", message: detail });
    }
    const { body: document, etag } = await editParticipant(deps, {
      participantId: params.participant_id,
      clientId: caller.clientId,
      requestId: info.requestId,
      edit: toEdit(body),
      hasRead: hasRead,
      server: () => serverEntry(deps),
    });
    return { status: 200, headers: { ...noStore, etag }, contentType: "application/json", body: document };
  },
});
