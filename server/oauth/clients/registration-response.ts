import type { RegistrationRow } from "../../data/oauth/client-registrations.ts";
import type { Config } from "../../deps/config.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import type { WebhookCredentials } from "../../webhooks/endpoints/find-endpoint.ts";
import type { ClientMetadata } from "../rules/clients/registration.ts";
import type { ServerMembers } from "../rules/clients/registration-rules.ts";

/** RFC 7591 §3.2.1 and RFC 7592 §3: everything registered, defaults included, and what the server set. */
export type RegistrationResponse = ClientMetadata & {
  client_id: string;
  client_id_issued_at: number;
  registration_client_uri: string;
  registration_access_token: string;
  merchant_id?: string;
  /** `whsec_…` and `whpk_…`, by which its webhooks' signatures are checked */
  webhook_secret?: string;
  webhook_public_key?: string;
};

type Registered = Pick<RegistrationRow, "id" | "merchantId" | "createdAt">;

/** What a client can't choose; equal or absent where it is sent back. */
export const serverMembersOf = (
  { baseUrl }: Pick<Config, "baseUrl">,
  { id, merchantId, createdAt }: Registered,
  token: string,
  webhook: WebhookCredentials | null,
) =>
  ({
    client_id: id,
    client_id_issued_at: epochSeconds(createdAt),
    registration_client_uri: `${baseUrl}/oauth/register/${id}`,
    registration_access_token: token,
    ...(merchantId === null ? {} : { merchant_id: merchantId }),
    ...(webhook === null ? {} : { webhook_secret: webhook.secret, webhook_public_key: webhook.publicKey }),
  }) satisfies ServerMembers;

export const registrationResponse = (
  config: Pick<Config, "baseUrl">,
  registered: Registered,
  metadata: ClientMetadata,
  token: string,
  webhook: WebhookCredentials | null,
): RegistrationResponse => ({ ...serverMembersOf(config, registered, token, webhook), ...metadata });
