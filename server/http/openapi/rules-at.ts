import type { Auth, Endpoint } from "../../contract/endpoint.ts";
import type { Place, Rule } from "../../kernel/rule.ts";
import { ruleGroups } from "./rule-table.ts";

const means: Readonly<Record<Auth["kind"], readonly Place[]>> = {
  none: [],
  client: ["every private_key_jwt"],
  pending_client: ["every private_key_jwt"],
  access_token: ["every access token"],
  registration_token: ["every registration access token"],
};

/** The rules that apply to an operation's requests, by topic. */
export const rulesAt = ({ operationId, auth, request }: Endpoint): Rule<unknown>[] => {
  const readsForm = request.content === "form" || request.query !== undefined;
  const places = new Set<Place>([operationId, ...means[auth.kind], ...(readsForm ? ["every form" as const] : [])]);
  return ruleGroups.flatMap((group) => group.rules.filter((rule) => rule.places.some((place) => places.has(place))));
};
