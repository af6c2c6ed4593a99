import type { Config } from "../config.ts";
import type { RegistrationRow } from "../data/client-registrations.ts";
import { epochSeconds } from "../kernel/clock.ts";
import type { ClientMetadata, ServerMembers } from "./rules/registration.ts";

/** RFC 7591 §3.2.1 and RFC 7592 §3: everything registered, defaults included, and what the server set. */
export type RegistrationResponse = ClientMetadata & {
  client_id: string;
  client_id_issued_at: number;
  registration_client_uri: string;
  registration_access_token: string;
  merchant_id?: string;
};

type Registered = Pick<RegistrationRow, "id" | "merchantId" | "createdAt">;

/** What a client can't choose; equal or absent where it is sent back. */
export const serverMembersOf = (
  { baseUrl }: Pick<Config, "baseUrl">,
  { id, merchantId, createdAt }: Registered,
  token: string,
) =>
  ({
    client_id: id,
    client_id_issued_at: epochSeconds(createdAt),
    registration_client_uri: `${baseUrl}/oauth/register/${id}`,
    registration_access_token: token,
    ...(merchantId === null ? {} : { merchant_id: merchantId }),
  }) satisfies ServerMembers;

export const registrationResponse = (
  config: Pick<Config, "baseUrl">,
  registered: Registered,
  metadata: ClientMetadata,
  token: string,
): RegistrationResponse => ({ ...serverMembersOf(config, registered, token), ...metadata });
