import { z } from "zod";
import type { ResponseContract } from "../../contract/endpoint.ts";

export const participantParams = z.object({ participant_id: z.string() });

/** Operations that anyone may call. */
export const publicContract = {
  method: "GET",
  tag: "Directory",
  standards: ["RFC 9110"],
  auth: { kind: "none" },
  errors: "problem",
  isPublic: true,
} as const;

/** Revalidated at each use: an entry may change at any time, and its entity tag shows whether it did. */
export const cacheControl = "public, no-cache";
export const cached = { etag: "Entity tag of the response", "cache-control": cacheControl };
export const notModified: ResponseContract = {
  description: "Not modified: the caller's copy is current (RFC 9110 §15.4.5)",
};

export const limit = z
  .string()
  .regex(/^([1-9]\d?|100)$/, "must be a whole number from 1 to 100")
  .optional();
export const limitOf = (text: string | undefined): number => Number(text ?? 20);

/** Operations that only a participant's own clients may call. */
export const ownContract = {
  tag: "Directory",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "directory", scope: "directory.write" },
  rateLimit: "directory",
  errors: "problem",
} as const;

export const ownErrorCodes = ["participant_not_found", "not_own_participant", "participant_suspended"] as const;

export const participantExample = {
  id: "ptc_7Qm4xTzKc9WvBn2rYsHd6gJp",
  roles: ["merchant"],
  display_name: "Fresh Market",
  legal_name: "Fresh Market Ltd",
  environment: "production",
  status: "active",
  merchant_id: "mch_2Vd8kPqLw5XzNc3tRbJh7mSg",
  issuer: null,
  verified_domains: [{ domain: "fresh-market.example", verified_at: "2026-11-21T10:15:00.000Z" }],
  contacts: ["payments@fresh-market.example"],
  contact_salts: ["5s2Vq0mXW8tYd1uBz3RkAg"],
  website_uri: "https://fresh-market.example/",
  logo_uri: null,
  capabilities: {
    grant_types: ["client_credentials"],
    pushed_authorization_requests: false,
    dpop_bound_access_tokens: false,
    authorization_details_types: [],
    currencies: ["EUR"],
    webhooks: false,
    limits: {
      max_charge_amounts: [{ currency: "EUR", amount: 250_000 }],
      authorization_details: null,
      request_uri_lifetime_seconds: null,
      client_rate_limit: null,
    },
  },
  metadata_documents: ["https://fresh-market.example/.well-known/oauth-protected-resource"],
  federation_entity: {
    entity_id: "https://fresh-market.example",
    key_thumbprints: ["oPz2kTq9VxNc4rYsHd6gJp1WmBn7fLu3aZe5iRtKw0Q"],
  },
  health: {
    status: "up",
    last_checked_at: "2026-11-21T12:00:00.000Z",
    last_success_at: "2026-11-21T12:00:00.000Z",
    latency_ms: 84,
    uptime_30d: "99.861",
    problem: null,
  },
  version: 2,
  created_at: "2026-11-20T09:00:00.000Z",
  updated_at: "2026-11-21T10:15:00.000Z",
};

export const changeExample = {
  participant_id: participantExample.id,
  version: 2,
  change: "domain_verified",
  changed_at: "2026-11-21T10:15:00.000Z",
  changed_by: "client",
  diff: [
    { op: "replace" as const, path: "/status", value: "active" },
    {
      op: "add" as const,
      path: "/verified_domains/0",
      value: { domain: "fresh-market.example", verified_at: "2026-11-21T10:15:00.000Z" },
    },
  ],
  document_sha256: "pDf5XpZ9e0cVnq1k0Yt4cUu9hQ2o7rW3mBzJxA6sLdE",
  log_index: 41,
};

export const versionExample = {
  ...changeExample,
  document: {
    ...participantExample,
    version: undefined,
    updated_at: undefined,
    contact_salts: undefined,
    health: undefined,
    contacts: ["3q2u7wYc1bT0nQm5kXz8aRj4eHs6vLp9dGfUoIiWy1M"],
    keys: [{ thumbprint: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", kid: "shop-1" }],
  },
};
