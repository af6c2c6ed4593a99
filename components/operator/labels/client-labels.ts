import type { OperatorFoundClient } from "#server/trpc/operator/clients/client-views.ts";
import type { Tone } from "../../ui/pill.tsx";

type ClientKind = OperatorFoundClient["kind"];
type ClientState = OperatorFoundClient["state"];

export const clientKinds: Readonly<Record<ClientKind, string>> = { agent: "Agent", merchant: "Merchant’s app" };

export const clientStates: Readonly<Record<ClientState, { tone: Tone; label: string }>> = {
  active: { tone: "good", label: "Active" },
  deleted: { tone: "neutral", label: "Deleted" },
};

export const isClientKind = (text: string | undefined): text is ClientKind =>
  text !== undefined && Object.hasOwn(clientKinds, text);

export const isClientState = (text: string | undefined): text is ClientState =>
  text !== undefined && Object.hasOwn(clientStates, text);

const acts: Readonly<Record<string, string>> = {
  "client.registered": "Registered",
  "client.updated": "Registration changed",
  "client.deleted": "Deleted",
};

export const clientActionLabel = (action: string): string => acts[action] ?? action;
