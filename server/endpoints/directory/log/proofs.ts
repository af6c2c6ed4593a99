import { z } from "zod";
import { cacheable } from "../../../contract/cacheable.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { proveConsistency, proveInclusion } from "../../../directory/log/prove.ts";
import { toDocument } from "../../../directory/participants/participant.wire.ts";
import { cacheControl, cached, notModified, publicContract } from "../contract.ts";

const contract = {
  ...publicContract,
  tag: "Transparency log",
  standards: ["RFC 6962"],
  errorCodes: ["invalid_request", "temporarily_unavailable"],
} as const;
const contentType = "application/json";
const wholeNumber = z.string().regex(/^(0|[1-9]\d{0,14})$/, "must be a whole number");
const proof = z.array(z.string()).describe("Hashes in base64");
const proofExample = ["CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="];

const toBase64 = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString("base64"));

export const inclusionProofEndpoint = defineEndpoint({
  ...contract,
  path: "/directory/v1/log/proofs/inclusion",
  operationId: "proveLogInclusion",
  summary: "Prove that an entry is in the log",
  request: {
    query: z.object({
      index: wholeNumber.describe("log_index of the entry"),
      tree_size: wholeNumber.describe("Size of the tree of a published checkpoint"),
    }),
  },
  responses: {
    200: {
      description: "The audit path of the entry (RFC 6962 §2.1.1)",
      schema: z.object({ index: z.int(), tree_size: z.int(), proof }),
      example: { index: 1, tree_size: 2, proof: proofExample },
      headers: cached,
    },
    304: notModified,
  },
  async handle({ deps, request }, { query }) {
    const [index, treeSize] = [Number(query.index), Number(query.tree_size)];
    const hashes = await proveInclusion(deps, { index, treeSize });
    const document = toDocument({ index, tree_size: treeSize, proof: toBase64(hashes) });
    return cacheable(request, { ...document, contentType, cacheControl });
  },
});

export const consistencyProofEndpoint = defineEndpoint({
  ...contract,
  path: "/directory/v1/log/proofs/consistency",
  operationId: "proveLogConsistency",
  summary: "Prove that a later tree of the log continues an earlier one",
  request: {
    query: z.object({
      from: wholeNumber.describe("Size of the earlier tree"),
      to: wholeNumber.describe("Size of the later tree"),
    }),
  },
  responses: {
    200: {
      description: "The consistency proof (RFC 6962 §2.1.2). Empty if the earlier tree is empty or both are equal",
      schema: z.object({ from: z.int(), to: z.int(), proof }),
      example: { from: 1, to: 2, proof: proofExample },
      headers: cached,
    },
    304: notModified,
  },
  async handle({ deps, request }, { query }) {
    const [from, to] = [Number(query.from), Number(query.to)];
    const document = toDocument({ from, to, proof: toBase64(await proveConsistency(deps, { from, to })) });
    return cacheable(request, { ...document, contentType, cacheControl });
  },
});
