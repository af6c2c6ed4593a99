import { z } from "zod";
import type { ParticipantEdit } from "../../data/directory/participant-changes.ts";
import type { ParticipantChangeRow, ParticipantVersionRow } from "../../data/directory/participant-versions.ts";
import type { ParticipantRow } from "../../data/directory/participants.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { emailAddressPattern } from "../../kernel/text/email-address.ts";
import { canBeSeen, isPlain } from "../../kernel/text/text.ts";
import { healthSchema, toHealth } from "../health/health.wire.ts";
import { asciiAddress, isEntryAddress } from "../rules/entry-address.ts";
import { isMetadataAddress } from "../rules/metadata-document.ts";
import { limitsSchema, maxChargeAmountsEdit, sortLimits, statedLimits } from "./limits.wire.ts";

export const roles = ["authorization_server", "merchant", "client"] as const;
export const environments = ["production", "sandbox"] as const;
export const statuses = ["pending", "active", "suspended", "withdrawn"] as const;

export const participantSchema = z.object({
  id: z.string(),
  roles: z.array(z.enum(roles)),
  display_name: z.string(),
  legal_name: z.string().nullable(),
  environment: z.enum(environments),
  status: z
    .enum(statuses)
    .describe(
      "`active` with a verified domain, else `pending`. An authorization server needs no domain. `suspended` and `withdrawn` take precedence",
    ),
  merchant_id: z.string().nullable().describe("The merchant's id, as used in a mandate's payees"),
  issuer: z.string().nullable().describe("The issuer of an authorization server (RFC 8414)"),
  verified_domains: z.array(z.object({ domain: z.string(), verified_at: z.string() })),
  contacts: z.array(z.string()),
  contact_salts: z
    .array(z.string())
    .describe(
      "One for each contact, base64url. The documents of the history contain the SHA-256 hash of salt and contact",
    ),
  website_uri: z.string().nullable(),
  logo_uri: z.string().nullable(),
  capabilities: z.object({
    grant_types: z.array(z.string()),
    pushed_authorization_requests: z.boolean(),
    dpop_bound_access_tokens: z
      .boolean()
      .describe(
        "Whether all clients of the participant bind their tokens to keys, or whether an authorization server supports it",
      ),
    authorization_details_types: z.array(z.string()),
    currencies: z
      .array(z.string())
      .describe("ISO 4217: the currency of a merchant, or the currencies of mandates at an authorization server"),
    webhooks: z.boolean().describe("Whether the participant sends events to webhook endpoints"),
    limits: limitsSchema,
  }),
  metadata_documents: z.array(z.string()).describe("URLs of its metadata documents (RFC 8414, RFC 9728)"),
  federation_entity: z
    .object({
      entity_id: z.string(),
      key_thumbprints: z.array(z.string()).describe("RFC 7638, of its federation keys"),
    })
    .nullable()
    .describe("The participant's entity in the directory's federation (OpenID Federation 1.0)"),
  health: healthSchema.nullable().describe("Measured by the directory. Null before the first check of its metadata"),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type Participant = z.infer<typeof participantSchema>;

/** The authorization server's own entry. */
export type ServerEntry = {
  issuer: string;
  capabilities: Participant["capabilities"];
  metadataDocuments: string[];
};

/** The data that an entry needs in addition to its row. `server` is called for the authorization server's own entry. */
export type EntryContext = { environment: Participant["environment"]; server: () => ServerEntry; now: Date };

const capabilitiesOf = (row: ParticipantRow): Participant["capabilities"] =>
  row.statedCapabilities === null
    ? ofClients(row)
    : { ...row.statedCapabilities, currencies: [], webhooks: false, limits: statedLimits([]) };

const ofClients = (row: ParticipantRow): Participant["capabilities"] => ({
  grant_types: row.grantTypes,
  pushed_authorization_requests: row.grantTypes.includes("authorization_code"),
  dpop_bound_access_tokens: row.dpopBound,
  authorization_details_types: row.detailsTypes,
  currencies: row.currency === null ? [] : [row.currency],
  webhooks: false,
  limits: statedLimits(row.maxChargeAmounts),
});

export const toParticipant = (row: ParticipantRow, { environment, server, now }: EntryContext): Participant => {
  const own = row.id === serverParticipantId ? server() : null;
  return {
    id: row.id,
    roles: roles.filter((role) => row.roles.includes(role)),
    display_name: row.displayName,
    legal_name: row.legalName,
    environment: row.environment ?? environment,
    status: row.status,
    merchant_id: row.merchantId,
    issuer: own?.issuer ?? row.issuer,
    verified_domains: row.verifiedDomains.map(({ domain, verifiedAt }) => ({
      domain,
      verified_at: new Date(verifiedAt).toISOString(),
    })),
    contacts: row.contacts,
    contact_salts: row.contactSalts,
    website_uri: row.websiteUri,
    logo_uri: row.logoUri,
    capabilities: own?.capabilities ?? capabilitiesOf(row),
    metadata_documents: own?.metadataDocuments ?? row.metadataUris,
    federation_entity: row.federationEntity && {
      entity_id: row.federationEntity.entityId,
      key_thumbprints: row.federationEntity.keyThumbprints,
    },
    health: row.health && toHealth(row.health, now),
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
};

/** The entry as returned, and the entity tag of that representation (RFC 9110 §8.8.3). */
export const toDocument = (value: object): { body: string; etag: string } => {
  const body = JSON.stringify(value);
  return { body, etag: `"${sha256Base64url(body)}"` };
};

/**
 * An entity tag for forms. New measurements of the directory don't change it, so a form can be open for a long time.
 */
export const editTag = ({ health: _health, ...entry }: Participant): string => toDocument(entry).etag;

const patchSchema = z.array(
  z.object({ op: z.enum(["add", "remove", "replace"]), path: z.string(), value: z.unknown().optional() }),
);

/** A change of a participant: one version without its document. */
export const participantChangeSchema = z.object({
  participant_id: z.string(),
  version: z.int(),
  change: z.string().describe("What changed, for example `edited` or `domain_verified`"),
  changed_at: z.string(),
  changed_by: z.string().describe("Kind of the actor: client, merchant, operator or system"),
  diff: patchSchema.describe(
    "JSON Patch (RFC 6902) from the previous version's document; the first one starts from {}",
  ),
  document_sha256: z.string().describe("Base64url SHA-256 of the document's canonical JSON (RFC 8785)"),
  log_index: z.int().describe("Index of this version in the transparency log"),
});

export const participantVersionSchema = participantChangeSchema.extend({
  document: z
    .looseObject({ display_name: z.string() })
    .describe("The participant as of this version, with salted hashes of its contacts"),
});

export const toChange = (row: ParticipantChangeRow): z.infer<typeof participantChangeSchema> => ({
  participant_id: row.participantId,
  version: row.version,
  change: row.change,
  changed_at: row.changedAt.toISOString(),
  changed_by: row.changedBy,
  diff: row.diff as z.infer<typeof patchSchema>,
  document_sha256: row.documentSha256,
  log_index: row.logIndex,
});

export const toVersion = (row: ParticipantVersionRow) => ({ ...toChange(row), document: row.document });

export const participantName = z
  .string()
  .min(1)
  .max(200)
  .refine(isPlain, "must be plain text without control characters")
  .refine(canBeSeen, "must have a visible character");
const address = z
  .url({ protocol: /^https$/, hostname: /./, error: "must be an https address", abort: true })
  .max(2000)
  .refine(isEntryAddress, "must be an https URL with only visible characters and no user name or password");

const emailAddress = z.email({ pattern: emailAddressPattern, error: "must be an e-mail address" });

/** A participant's complete self-description. Members that are left out are removed. */
export const participantEditSchema = z.strictObject({
  display_name: participantName,
  legal_name: participantName.nullish(),
  website_uri: address.nullish(),
  logo_uri: address.nullish(),
  contacts: z.array(emailAddress).max(5, "must have at most 5 addresses").optional(),
  metadata_documents: z
    .array(
      address.refine(
        isMetadataAddress,
        "must have the path /.well-known/oauth-authorization-server or /.well-known/oauth-protected-resource (RFC 8414, RFC 9728)",
      ),
    )
    .max(3, "must have at most 3 URLs")
    .optional()
    .describe("URLs of metadata documents on verified domains. The directory checks them hourly"),
  max_charge_amounts: maxChargeAmountsEdit
    .optional()
    .describe("The greatest amount of one charge that the participant accepts, in minor units, for each currency"),
  withdrawn: z
    .boolean()
    .optional()
    .describe("True withdraws the participant from the directory. False or absent lists it again"),
});

const inAscii = (address: string | null | undefined): string | null => (address == null ? null : asciiAddress(address));

export const toEdit = (body: z.infer<typeof participantEditSchema>): ParticipantEdit => ({
  displayName: body.display_name,
  legalName: body.legal_name ?? null,
  websiteUri: inAscii(body.website_uri),
  logoUri: inAscii(body.logo_uri),
  contacts: [...new Set(body.contacts)],
  metadataUris: [...new Set(body.metadata_documents)].toSorted(),
  maxChargeAmounts: sortLimits(body.max_charge_amounts ?? []),
  isWithdrawn: body.withdrawn ?? false,
});
