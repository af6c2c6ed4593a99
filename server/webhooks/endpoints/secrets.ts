import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { WebhookSecretRow } from "../../data/webhooks/webhook-secrets.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId, newSecret } from "../../kernel/ids.ts";

/**
 * Signing secrets: the HMAC secret in the owner's format (`whsec_…`), and the Ed25519 private key, which isn't
 * disclosed.
 */
export type SigningSecret = { secret: string; privateKey: KeyObject };

/** The credentials with which an endpoint's owner verifies signatures. */
export type WebhookCredentials = { endpointId: string; secret: string; publicKey: string };

const contextOf = (id: string): string => `webhook_secret:${id}`;

/** Creates both keys, encrypted, and the credentials for the owner. */
export const makeSecret = (
  deps: Pick<Deps, "sealer">,
  endpointId: string,
  createdAt: Date,
): { row: Omit<WebhookSecretRow, "expiresAt">; credentials: WebhookCredentials } => {
  const id = newId("whs");
  const secret = `whsec_${Buffer.from(newSecret(), "base64url").toString("base64")}`;
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const publicKey = `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
  const sealed = deps.sealer.seal(JSON.stringify({ secret, d, x }), contextOf(id));
  return { row: { id, endpointId, sealed, publicKey, createdAt }, credentials: { endpointId, secret, publicKey } };
};

const open = (deps: Pick<Deps, "sealer">, { id, sealed }: WebhookSecretRow): { secret: string; d: string; x: string } =>
  JSON.parse(deps.sealer.open(sealed, contextOf(id)));

export const openSecret = (deps: Pick<Deps, "sealer">, row: WebhookSecretRow): SigningSecret => {
  const { secret, d, x } = open(deps, row);
  const privateKey = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" });
  return { secret, privateKey };
};

export const credentialsOf = (deps: Pick<Deps, "sealer">, row: WebhookSecretRow): WebhookCredentials => ({
  endpointId: row.endpointId,
  secret: open(deps, row).secret,
  publicKey: row.publicKey,
});
