import { findMetadataSnapshots } from "../../data/directory/participant-metadata.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Participant } from "../participants/participant.wire.ts";

export type Endpoint = { name: string; address: string };

const names = {
  issuer: "Issuer",
  registration_endpoint: "Client registration",
  pushed_authorization_request_endpoint: "Pushed authorization requests",
  authorization_endpoint: "Authorization",
  token_endpoint: "Token",
  jwks_uri: "Keys",
} as const;

/**
 * The endpoints in authorization server metadata (RFC 8414 §2). Another server may have written it, so values other than
 * up to 500 visible ASCII characters are omitted.
 */
export const endpointsIn = (metadata: Readonly<Record<string, unknown>>): Endpoint[] =>
  Object.entries(names).flatMap(([member, name]) => {
    const address = metadata[member];
    return typeof address === "string" && /^[!-~]{1,500}$/.test(address) ? [{ name, address }] : [];
  });

/** The endpoints of a listed authorization server, from the last snapshot of its metadata. */
export const findEndpoints = async (
  { db }: Pick<Deps, "db">,
  { id, metadata_documents: [uri] }: Pick<Participant, "id" | "metadata_documents">,
): Promise<Endpoint[]> => {
  const [snapshot] = uri === undefined ? [] : await findMetadataSnapshots(db.sql, { participantId: id, uri });
  return endpointsIn(snapshot?.document ?? {});
};
