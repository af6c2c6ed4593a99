import type { RegistrationRow } from "../../data/oauth/client-registrations.ts";
import type { Config } from "../../deps/config.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import type { WebhookCredentials } from "../../webhooks/endpoints/find-endpoint.ts";
import type { ClientMetadata } from "../rules/clients/registration.ts";
import type { ServerMembers } from "../rules/clients/registration-rules.ts";

/** RFC 7591 §3.2.1 and RFC 7592 §3: all registered metadata, defaults included, and the server's members. */
export type RegistrationResponse = ClientMetadata & {
  client_id: string;
  client_id_issued_at: number;
  registration_client_uri: string;
  registration_access_token: string;
  merchant_id?: string;
  /** `whsec_…` and `whpk_…`: keys that verify the signatures of the client's webhooks */
  webhook_secret?: string;
  webhook_public_key?: string;
};

type Registered = {
  client: Pick<RegistrationRow, "id" | "merchantId" | "createdAt">;
  token: string;
  webhook: WebhookCredentials | null;
};

/** Members that the server sets. A client that sends one back must not change it. */
export const serverMembersOf = (
  { baseUrl }: Pick<Config, "baseUrl">,
  { client: { id, merchantId, createdAt }, token, webhook }: Registered,
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
  registered: Registered & { metadata: ClientMetadata },
): RegistrationResponse => ({ ...serverMembersOf(config, registered), ...registered.metadata });
