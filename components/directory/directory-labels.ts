import { capitalize } from "../format/text.ts";
import type { Tone } from "../ui/pill.tsx";

export const roleLabels: Readonly<Record<string, string>> = {
  authorization_server: "Authorization server",
  merchant: "Merchant",
  client: "Client",
};

export const statusLabels: Readonly<Record<string, { label: string; tone: Tone; meaning: string }>> = {
  active: { label: "Active", tone: "good", meaning: "This participant proved that it controls its domains." },
  pending: {
    label: "Pending",
    tone: "warn",
    meaning: "This participant has no verified domain, so its names aren’t verified either.",
  },
  suspended: { label: "Suspended", tone: "bad", meaning: "This participant is suspended and can’t change its entry." },
  withdrawn: { label: "Withdrawn", tone: "neutral", meaning: "This entry was withdrawn. Its history stays public." },
};

export const environmentLabels: Readonly<Record<string, string>> = { production: "Production", sandbox: "Sandbox" };

const grantNames: Readonly<Record<string, string>> = {
  "urn:ietf:params:oauth:grant-type:token-exchange": "Token exchange",
  "urn:ietf:params:oauth:grant-type:pre-authorized_code": "Pre-authorized code",
};

/** `authorization_code` becomes `Authorization code`. */
export const wordsOf = (name: string): string => {
  const words = name.replaceAll("_", " ");
  return capitalize(words);
};

export const grantLabel = (type: string): string => grantNames[type] ?? (type.includes(":") ? type : wordsOf(type));

/** The label of a capability. @param capability a value of the filter, for example `dpop` */
export const capabilityLabel = (capability: string): string => {
  const [kind = "", ...rest] = capability.split(":");
  const value = rest.join(":");
  if (kind === "par") return "Pushed authorization requests";
  if (kind === "dpop") return "DPoP";
  if (kind === "webhooks") return "Webhooks";
  if (kind === "grant") return `Grant: ${grantLabel(value)}`;
  return kind === "rar" ? `Authorization details: ${value}` : `Currency: ${value}`;
};

const changeLabels: Readonly<Record<string, string>> = {
  domain_given_up: "Domain removed",
  domain_unverified: "Domain no longer verified",
  domain_verified: "Domain verified",
  federation_left: "Left the federation",
  federation_removed: "Federation entity removed",
  federation_registered: "Federation entity registered",
  keys_changed: "Keys changed",
  listed_again: "Listed again",
  resumed: "Suspension lifted",
  transfer_cancelled: "Offer to another merchant canceled",
  transferred: "Transferred to another merchant",
};

export const changeLabel = (change: string): string => changeLabels[change] ?? wordsOf(change);
