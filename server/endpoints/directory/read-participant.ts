import { negotiate } from "../../contract/accept.ts";
import { cacheable } from "../../contract/cacheable.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { getParticipant } from "../../directory/participants/find-participant.ts";
import { participantSchema, toDocument } from "../../directory/participants/participant.wire.ts";
import { signParticipant } from "../../directory/participants/sign-participant.ts";
import { DomainError } from "../../kernel/errors.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import {
  cacheControl,
  cached,
  notModified,
  participantExample,
  participantParams,
  publicContract,
} from "./contract.ts";

const jsonType = "application/json";
const jwtType = "application/jwt";
const vary = "Accept";

export const readParticipantEndpoint = defineEndpoint({
  ...publicContract,
  path: "/directory/v1/participants/{participant_id}",
  operationId: "readParticipant",
  summary: "Read a participant’s entry. With Accept: application/jwt, as a JWT that the directory signed",
  standards: ["RFC 9110", "RFC 7519"],
  errorCodes: ["not_acceptable", "participant_not_found"],
  request: { params: participantParams },
  responses: {
    200: {
      description:
        "The entry; or a JWT with `typ` participant+jwt, valid for 24 hours: `participant` is the entry, `log_index` is the index of this version in the log",
      schema: participantSchema,
      example: participantExample,
      headers: { ...cached, vary },
      alternatives: { [jwtType]: { example: "eyJhbGciOiJFUzI1NiIsInR5cCI6InBhcnRpY2lwYW50K2p3dCJ9…" } },
    },
    304: notModified,
  },
  async handle({ deps, request }, { params }) {
    const type = negotiate(request.headers.get("accept"), [jsonType, jwtType]);
    if (type === null) {
      const message = `A participant is available as ${jsonType} and ${jwtType}.`;
      throw new DomainError("invalid", { code: "not_acceptable", message, headers: { vary } });
    }
    const input = { id: params.participant_id, server: () => serverEntry(deps) };
    if (type === jsonType) {
      const document = toDocument(await getParticipant(deps, input));
      return cacheable(request, { ...document, contentType: jsonType, cacheControl, vary });
    }
    const { jwt: body, tag } = await signParticipant(deps, input);
    return cacheable(request, { body, etag: `W/"${tag}"`, contentType: jwtType, cacheControl, vary });
  },
});
