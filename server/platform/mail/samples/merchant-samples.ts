const at = new Date("2026-11-21T13:15:00Z");
const settingsUrl = "https://pay.example/merchant/settings";

const exampleDomain = {
  domain: "shop.example",
  participantName: "Fresh Market",
  url: "https://shop.example/.well-known/paygrant-participants.json",
  record: "_paygrant-challenge.shop.example",
  provedAt: new Date("2026-11-20T13:10:00Z"),
  entryUrl: "https://pay.example/merchant/directory",
};

const transfer = {
  entryId: "ptc_example",
  participantName: "Fresh Market",
  fromName: "Fresh Market",
  toName: "Corner Bakery",
  pageUrl: "https://pay.example/merchant/directory",
};

const transferSamples = (timeZone: string) =>
  ({
    entry_transfer_offered: {
      kind: "entry_transfer_offered",
      side: "to",
      ...transfer,
      expiresAt: new Date("2026-12-05T13:15:00Z"),
      timeZone,
    },
    entry_transfer_ended: {
      kind: "entry_transfer_ended",
      side: "from",
      outcome: "accepted",
      ...transfer,
      at,
      timeZone,
    },
  }) as const;

const entrySamples = (timeZone: string) => {
  const entry = { participantName: "Fresh Market", at, timeZone, entryUrl: "https://pay.example/merchant/directory" };
  return {
    entry_suspended: { kind: "entry_suspended", ...entry },
    entry_resumed: { kind: "entry_resumed", ...entry },
    app_deleted: { kind: "app_deleted", appName: "Till", clientId: "cl_live_example", ...entry },
    federation_keys_changed: {
      kind: "federation_keys_changed",
      entityId: "https://id.shop.example",
      keyCount: 2,
      ...entry,
    },
    federation_left: {
      kind: "federation_left",
      entityId: "https://id.shop.example",
      problem: "The host does not answer within 5 seconds.",
      ...entry,
    },
  } as const;
};

const teamSamples = (timeZone: string) => {
  const merchant = { merchantName: "Fresh Market", at, timeZone, dashboardUrl: "https://pay.example/merchant" };
  return {
    team_joined: {
      kind: "team_joined",
      merchantName: "Fresh Market",
      memberName: "Robin Example",
      memberEmail: "robin@shop.example",
      role: "developer",
      at,
      timeZone,
      teamUrl: "https://pay.example/merchant/team",
    },
    team_role_changed: { kind: "team_role_changed", role: "admin", ...merchant },
    team_removed: { kind: "team_removed", role: null, ...merchant },
    ownership_transferred: {
      kind: "ownership_transferred",
      merchantName: "Fresh Market",
      oldOwnerName: "Robin Example",
      newOwnerName: "Kim Example",
      at,
      timeZone,
      teamUrl: "https://pay.example/merchant/team",
    },
  } as const;
};

/** An example of each mail about a merchant, its team and its directory entry. */
export const merchantSamples = (timeZone: string) => {
  const merchant = { merchantName: "Fresh Market", at, timeZone, dashboardUrl: "https://pay.example/merchant" };
  const domain = { ...exampleDomain, timeZone };
  return {
    merchant_suspended: { kind: "merchant_suspended", ...merchant },
    merchant_resumed: { kind: "merchant_resumed", ...merchant },
    merchant_review_needed: {
      kind: "merchant_review_needed",
      merchantName: "Fresh Market",
      legalName: "Fresh Market GmbH",
      country: "DE",
      websiteUri: "https://shop.example",
      reviewUrl: "https://pay.example/operator/merchants/mch_example",
    },
    merchant_approved: { kind: "merchant_approved", mustConnect: true, ...merchant },
    merchant_declined: {
      kind: "merchant_declined",
      reason: "The website doesn’t show who runs the shop.",
      ...merchant,
    },
    merchant_invitation: {
      kind: "merchant_invitation",
      invitationUrl: "https://pay.example/sign-up?invitation=example&return_to=%2Fmerchant%2Fnew",
      expiresAt: at,
      timeZone,
    },
    charges_enabled: { kind: "charges_enabled", merchantName: "Fresh Market", at, timeZone, settingsUrl },
    charges_stopped: { kind: "charges_stopped", merchantName: "Fresh Market", at, timeZone, settingsUrl },
    domain_check_failed: { kind: "domain_check_failed", ...domain, unverifiedFrom: new Date("2026-11-23T13:10:00Z") },
    domain_unverified: { kind: "domain_unverified", ...domain, at: new Date("2026-11-23T13:45:00Z") },
    metadata_changed: {
      kind: "metadata_changed",
      participantName: "Fresh Market",
      changes: [
        { uri: "https://shop.example/.well-known/oauth-protected-resource", part: "metadata" },
        { uri: "https://shop.example/.well-known/oauth-protected-resource", part: "jwks" },
      ],
      at,
      timeZone,
      entryUrl: "https://pay.example/directory/ptc_example#health",
    },
    ...entrySamples(timeZone),
    ...transferSamples(timeZone),
    ...teamSamples(timeZone),
  } as const;
};
