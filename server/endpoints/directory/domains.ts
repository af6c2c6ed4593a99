import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { claimDomain, giveUpDomain } from "../../directory/domains/claim-domain.ts";
import { verifyDomain } from "../../directory/domains/verify-domain.ts";
import { isDomain, proofRecordName, proofUrl } from "../../directory/rules/domain.ts";
import { ownContract, ownErrorCodes, participantParams } from "./contract.ts";

const domain = z
  .string()
  .max(253)
  .transform((text) => text.toLowerCase())
  .pipe(z.string().refine(isDomain, "must be a host name in its ASCII form, without port and path"));
const domainParams = participantParams.extend({ domain: z.string() });

const claimSchema = z.object({
  domain: z.string(),
  url: z.string().describe("URL that must return 200 with JSON"),
  document: z
    .record(z.string(), z.string())
    .describe("The members that the document must have. Other participants' members may also be present"),
  dns: z
    .object({ name: z.string(), type: z.literal("TXT"), value: z.string() })
    .describe("The record that proves the claim instead of the document. The name may have other records too"),
  verified_at: z.string().nullable(),
});
const claimExample = {
  domain: "fresh-market.example",
  url: "https://fresh-market.example/.well-known/paygrant-participants.json",
  document: { ptc_7Qm4xTzKc9WvBn2rYsHd6gJp: "Vr0YtS3cPzq1mW8kXa5nLd7uGh2eJb4fTi6oRw9yQ0A" },
  dns: {
    name: "_paygrant-challenge.fresh-market.example",
    type: "TXT" as const,
    value: "Vr0YtS3cPzq1mW8kXa5nLd7uGh2eJb4fTi6oRw9yQ0A",
  },
  verified_at: null,
};
const claimResponse = (description: string) => ({ description, schema: claimSchema, example: claimExample });

export const claimDomainEndpoint = defineEndpoint({
  ...ownContract,
  method: "POST",
  path: "/directory/v1/participants/{participant_id}/domains",
  operationId: "claimDomain",
  summary: "Claim a domain. The response says what to publish at the domain",
  standards: ["RFC 8615"],
  errorCodes: ["invalid_request", "too_many_domains", "participant_withdrawn", ...ownErrorCodes],
  request: {
    content: "json",
    params: participantParams,
    body: z.strictObject({ domain }),
    example: { domain: "fresh-market.example" },
  },
  responses: { 201: claimResponse("Claimed"), 200: claimResponse("Already claimed; the same token is expected") },
  async handle({ deps, info, caller }, { params, body }) {
    const participantId = params.participant_id;
    const { isNew, claim } = await claimDomain(deps, {
      participantId,
      clientId: caller.clientId,
      requestId: info.requestId,
      domain: body.domain,
    });
    return {
      status: isNew ? 201 : 200,
      headers: noStore,
      body: {
        domain: claim.domain,
        url: proofUrl(claim.domain),
        document: { [participantId]: claim.token },
        dns: { name: proofRecordName(claim.domain), type: "TXT", value: claim.token },
        verified_at: claim.verifiedAt?.toISOString() ?? null,
      },
    };
  },
});

export const verifyDomainEndpoint = defineEndpoint({
  ...ownContract,
  method: "POST",
  path: "/directory/v1/participants/{participant_id}/domains/{domain}/verification",
  operationId: "verifyDomain",
  summary: "Verify a claimed domain. The first verified domain makes the participant active",
  standards: ["RFC 8615"],
  errorCodes: [
    "domain_not_claimed",
    "domain_not_proved",
    "participant_withdrawn",
    "temporarily_unavailable",
    ...ownErrorCodes,
  ],
  request: { params: domainParams },
  responses: {
    200: {
      description: "Verified",
      schema: z.object({ domain: z.string(), verified_at: z.string() }),
      example: { domain: "fresh-market.example", verified_at: "2026-11-21T10:15:00.000Z" },
    },
  },
  async handle({ deps, info, caller }, { params }) {
    const { verifiedAt } = await verifyDomain(deps, {
      participantId: params.participant_id,
      domain: params.domain.toLowerCase(),
      clientId: caller.clientId,
      requestId: info.requestId,
    });
    const body = { domain: params.domain.toLowerCase(), verified_at: verifiedAt.toISOString() };
    return { status: 200, headers: noStore, body };
  },
});

export const giveUpDomainEndpoint = defineEndpoint({
  ...ownContract,
  method: "DELETE",
  path: "/directory/v1/participants/{participant_id}/domains/{domain}",
  operationId: "giveUpDomain",
  summary: "Remove a domain. A participant without a verified domain is pending",
  errorCodes: ["domain_not_claimed", ...ownErrorCodes],
  request: { params: domainParams },
  responses: { 204: { description: "Removed" } },
  async handle({ deps, info, caller }, { params }) {
    await giveUpDomain(deps, {
      participantId: params.participant_id,
      domain: params.domain.toLowerCase(),
      clientId: caller.clientId,
      requestId: info.requestId,
    });
    return { status: 204, headers: noStore };
  },
});
