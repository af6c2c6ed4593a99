import type { Actor } from "../../data/audit/audit.ts";
import { findClientByToken, lockRegistrationToken } from "../../data/merchants/own-clients.ts";
import type { Deps } from "../../deps/deps.ts";
import { labelledMac, sha256Base64url } from "../../kernel/crypto/hash.ts";
import { sentenceRefusal } from "../../kernel/errors.ts";
import { newSecret } from "../../kernel/ids.ts";
import { refuseUnapproved } from "../../merchants/refuse-unapproved.ts";
import { enrolClient } from "../clients/enrol-client.ts";
import { metadataRefusal } from "./metadata-refusal.ts";

type Input = {
  merchantId: string;
  name: string;
  scopes: readonly string[];
  /** a public key */
  jwk: object;
  /** a repeated request with this key returns the same app */
  idempotencyKey?: string | undefined;
  actor: Actor;
  requestId: string;
};

export type OwnClient = {
  clientId: string;
  /** returned once; its holder can read, replace and delete the registration (RFC 7592) */
  registrationAccessToken: string;
  registrationUri: string;
};

/**
 * A member registers a client of their merchant. The session permits this, so no initial access token is needed.
 * @throws DomainError invalid, naming the field; merchant_pending, merchant_declined.
 */
export const registerOwnClient = async (deps: Deps, input: Input): Promise<OwnClient> => {
  const { merchantId, name, scopes, jwk, idempotencyKey, actor, requestId } = input;
  if (scopes.length === 0) throw sentenceRefusal("/scopes", "Choose at least one scope.");
  const metadata = {
    client_name: name,
    grant_types: ["client_credentials"],
    scope: scopes.join(" "),
    jwks: { keys: [jwk] },
  };
  const token = tokenFor(deps, merchantId, idempotencyKey);
  const tokenHash = sha256Base64url(token);
  const answer = (clientId: string): OwnClient => ({
    clientId,
    registrationAccessToken: token,
    registrationUri: `${deps.config.baseUrl}/oauth/register/${clientId}`,
  });
  try {
    const client = await enrolClient(deps, {
      metadata,
      kind: "merchant",
      initial: null,
      registrationToken: token,
      async takePermission({ sql }) {
        await refuseUnapproved(sql, merchantId);
        await lockRegistrationToken(sql, tokenHash);
        const known = await findClientByToken(sql, merchantId, tokenHash);
        if (known !== null) throw new Repeated(known);
        return merchantId;
      },
      actor,
      requestId,
    });
    return answer(client.client_id);
  } catch (error) {
    if (error instanceof Repeated) return answer(error.clientId);
    throw metadataRefusal(error);
  }
};

/** Rolls back the registration, because the client is already registered. */
class Repeated extends Error {
  readonly clientId: string;

  constructor(clientId: string) {
    super("the client is already registered");
    this.clientId = clientId;
  }
}

/** A repeated request gets the same token, which can't be derived without our key. */
const tokenFor = ({ config }: Deps, merchantId: string, idempotencyKey: string | undefined): string =>
  idempotencyKey === undefined
    ? newSecret()
    : labelledMac(config.masterKey, "own_registration", `${merchantId}.${idempotencyKey}`);
