import { z } from "zod";

export const participantParams = z.object({ participant_id: z.string() });

/** Errors of the operations of a participant's own clients. */
export const ownContract = {
  tag: "Directory",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "directory", scope: "directory.write" },
  rateLimit: "directory",
  errors: "problem",
} as const;

export const ownErrorCodes = ["participant_not_found", "not_own_participant", "participant_suspended"] as const;

export const entryExample = {
  display_name: "Fresh Market",
  legal_name: "Fresh Market Ltd",
  roles: ["merchant"],
  contacts: [],
  website_uri: "https://fresh-market.example/",
  logo_uri: null,
  verified_domains: [],
  withdrawn: false,
};

export const participantExample = {
  id: "ptc_7Qm4xTzKc9WvBn2rYsHd6gJp",
  roles: ["merchant"],
  display_name: "Fresh Market",
  legal_name: "Fresh Market Ltd",
  environment: "production",
  status: "active",
  merchant_id: "mch_2Vd8kPqLw5XzNc3tRbJh7mSg",
  verified_domains: [{ domain: "fresh-market.example", verified_at: "2026-11-21T10:15:00.000Z" }],
  contacts: ["payments@fresh-market.example"],
  website_uri: "https://fresh-market.example/",
  logo_uri: null,
  capabilities: {
    grant_types: ["client_credentials"],
    pushed_authorization_requests: false,
    dpop_bound_access_tokens: false,
    authorization_details_types: [],
  },
  metadata_documents: [],
  version: 2,
  created_at: "2026-11-20T09:00:00.000Z",
  updated_at: "2026-11-21T10:15:00.000Z",
};
