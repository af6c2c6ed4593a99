import type { Deps } from "../../deps/deps.ts";
import {
  makeSecret,
  openSecret,
  type SigningSecret,
  type WebhookCredentials,
} from "../../webhooks/endpoints/secrets.ts";

/** Creates the signing secret of a webhook subscriber, sealed like the secrets of merchants' webhooks. */
export const makeSubscriberSecret = (
  deps: Pick<Deps, "sealer" | "clock">,
  subscriberId: string,
): { sealed: string; credentials: WebhookCredentials; secret: SigningSecret } => {
  const { row, credentials } = makeSecret(deps, subscriberId, deps.clock.now());
  const sealed = JSON.stringify([row.id, row.sealed]);
  return {
    sealed,
    credentials,
    secret: openSubscriberSecret(deps, { id: subscriberId, secretSealed: Buffer.from(sealed) }),
  };
};

/** @throws Error if the sealed secret was altered. */
export const openSubscriberSecret = (
  deps: Pick<Deps, "sealer" | "clock">,
  { id, secretSealed }: { id: string; secretSealed: Uint8Array },
): SigningSecret => {
  const [secretId, sealed] = JSON.parse(Buffer.from(secretSealed).toString()) as [string, string];
  const row = { id: secretId, endpointId: id, sealed, publicKey: "", createdAt: deps.clock.now(), expiresAt: null };
  return openSecret(deps, row);
};
