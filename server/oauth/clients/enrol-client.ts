import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { InitialAccessToken } from "../../data/directory/initial-access-tokens.ts";
import { insertClient } from "../../data/oauth/clients.ts";
import type { Deps } from "../../deps/deps.ts";
import { enrolParticipant } from "../../directory/participants/enrol-participant.ts";
import { recordClientChange } from "../../directory/participants/record-client-change.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { syncClientEndpoint } from "../../webhooks/endpoints/sync-client-endpoint.ts";
import type { ClientKind } from "../rules/scopes.ts";
import { checkClientMetadata } from "./check-client-metadata.ts";
import { type RegistrationResponse, registrationResponse } from "./registration-response.ts";

type NewClient = { kind: ClientKind; name: string; now: Date };

type Input = {
  metadata: unknown;
  /** null: derived from the metadata */
  kind: ClientKind | null;
  /** the initial access token, which limits the scopes; null: all scopes of the kind are allowed */
  initial: Pick<InitialAccessToken, "id" | "scopes" | "participantId"> | null;
  /**
   * Runs in the transaction that inserts the client. @returns the client's merchant.
   * @throws if the registration is no longer permitted.
   */
  takePermission(tx: Tx, client: NewClient): Promise<string | null>;
  /** default: a new one */
  registrationToken?: string;
  actor: Actor;
  requestId: string;
};

/**
 * Creates a client. One transaction uses the permission, and inserts the client, its directory participant, its keys,
 * its webhook endpoint and the audit entry.
 * @throws OAuthError with the codes of RFC 7591 §3.2.2.
 */
export const enrolClient = async (deps: Deps, input: Input): Promise<RegistrationResponse> => {
  const { initial, actor, requestId } = input;
  const { environment } = deps.config;
  const isSandbox = environment === "sandbox";
  const checked = await checkClientMetadata(deps, {
    sent: input.metadata,
    bounds: {
      kind: input.kind,
      allowedScopes: initial?.scopes ?? null,
      mayChooseBearer: isSandbox,
      allowsLocalhost: isSandbox,
      dpopBound: false,
    },
    own: {},
    clientId: null,
    knownHashes: [],
  });
  const { kind, metadata } = checked;
  const [id, now] = [newId(isSandbox ? "cl_test" : "cl_live"), deps.clock.now()];
  const columns = checked.columns(id);
  const token = input.registrationToken ?? newSecret();
  const { merchantId, webhook } = await deps.db.transaction(async (tx) => {
    const owner = await input.takePermission(tx, { kind, name: columns.name, now });
    const participantId = await enrolParticipant(tx.sql, {
      merchantId: owner,
      participantId: initial?.participantId ?? null,
      name: columns.name,
      at: now,
    });
    await insertClient(tx, {
      ...columns,
      id,
      kind,
      participantId,
      merchantId: owner,
      registrationTokenHash: sha256Base64url(token),
      initialAccessTokenId: initial?.id ?? null,
      allowedScopes: initial?.scopes ?? null,
      createdAt: now,
    });
    await checked.keepKeys(tx.sql, id);
    await recordClientChange(tx.sql, { clientId: id, change: "client_registered", at: now, actor, environment });
    await appendAudit(tx.sql, {
      at: now,
      actor,
      requestId,
      action: "client.registered",
      subjectId: id,
      data: { kind, merchant_id: owner, participant_id: participantId },
    });
    const change = { clientId: id, webhookUri: metadata.webhook_uri, rotatesSecret: false, requestId };
    return { merchantId: owner, webhook: await syncClientEndpoint(deps, tx.sql, change) };
  });
  return registrationResponse(deps.config, {
    client: { id, merchantId, createdAt: now },
    metadata,
    token,
    webhook,
  });
};
