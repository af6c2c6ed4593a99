import { expect, test } from "vitest";
import { describeChanges } from "./describe-changes.ts";

const before = {
  display_name: "Fresh Market",
  status: "pending",
  roles: ["merchant"],
  contacts: ["hash1"],
  website_uri: null,
  capabilities: { grant_types: ["client_credentials"], dpop_bound_access_tokens: false },
  verified_domains: [],
  keys: [{ thumbprint: "old", kid: "1" }],
};

test("a change names each field with its values before and after", () => {
  const after = {
    ...before,
    status: "active",
    roles: ["merchant", "client"],
    contacts: ["hash2", "hash3"],
    website_uri: "https://fresh-market.example/",
    capabilities: { grant_types: ["client_credentials", "authorization_code"], dpop_bound_access_tokens: true },
    verified_domains: [{ domain: "fresh-market.example", verified_at: "2026-11-21T10:15:00.000Z" }],
    keys: [{ thumbprint: "new", kid: "2" }],
  };
  expect(describeChanges(before, after)).toEqual([
    { field: "Status", removed: ["Pending"], added: ["Active"] },
    { field: "Roles", removed: [], added: ["Client"] },
    { field: "Contacts", removed: ["1 contact"], added: ["2 contacts"] },
    { field: "Website", removed: [], added: ["https://fresh-market.example/"] },
    { field: "Grant types", removed: [], added: ["Authorization code"] },
    { field: "DPoP-bound access tokens", removed: ["No"], added: ["Yes"] },
    { field: "Verified domains", removed: [], added: ["fresh-market.example"] },
    { field: "Keys", removed: ["old"], added: ["new"] },
  ]);
  expect(describeChanges(before, before)).toEqual([]);
});

test("a member that exists in only one of the documents is listed as added or removed", () => {
  expect(describeChanges({}, { display_name: "Bot" })).toEqual([
    { field: "Display name", removed: [], added: ["Bot"] },
  ]);
  expect(describeChanges({ legal_name: "Bot Ltd" }, {})).toEqual([
    { field: "Legal name", removed: ["Bot Ltd"], added: [] },
  ]);
});

test("a long list of values is shortened", () => {
  const currencies = Array.from({ length: 150 }, (_, index) => `C${index}`);
  const [change] = describeChanges({ capabilities: { currencies: [] } }, { capabilities: { currencies } });
  expect(change?.added).toEqual([...currencies.slice(0, 11), "139 more"]);
});
