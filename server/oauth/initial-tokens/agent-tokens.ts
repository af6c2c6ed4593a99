import {
  countUsableInitialAccessTokens,
  findAgentTokenPlace,
  findInitialAccessTokensOfParticipant,
  type ListedInitialAccessToken,
} from "../../data/directory/initial-access-tokens.ts";
import type { Deps } from "../../deps/deps.ts";
import { lockOwnParticipant, type OwnCaller, ownActorOf } from "../../directory/participants/lock-own-participant.ts";
import { DomainError } from "../../kernel/errors.ts";
import { cutPage, findPage, type PageRequest } from "../../kernel/pagination.ts";
import { createInitialAccessToken } from "./create-initial-access-token.ts";
import { revokeInitialAccessToken } from "./revoke-initial-access-token.ts";

type By = OwnCaller & { participantId: string; requestId: string };

/** Default scopes of an agent. They don't include `directory.write`, with which a client acts for the participant. */
export const usualAgentScopes: readonly string[] = ["grant_management_query", "grant_management_revoke"];
const maxUsable = 20;
export const maxAgentTokenUses = 100;

/** The merchant whose audit log shows what its member does; null for a client. */
const merchantOf = (own: OwnCaller): string | null => ("member" in own ? own.member.merchantId : null);

/** A participant may list and revoke tokens even while it is withdrawn or suspended. */
const always = { even: ["withdrawn", "suspended"] } as const;

type TokenOptions = { scopes?: readonly string[]; uses?: number; ttlSeconds?: number; label?: string };

/**
 * A verified participant permits agents to register as its own (RFC 7591 §3).
 * @throws DomainError participant_not_verified, too_many_tokens, and the errors of `createInitialAccessToken` and
 *   `lockOwnParticipant`.
 */
export const createAgentToken = (
  deps: Deps,
  { options, ...own }: By & { options: TokenOptions },
): Promise<{ id: string; token: string; expiresAt: Date }> =>
  createInitialAccessToken(deps, {
    kind: "agent",
    maxUses: maxAgentTokenUses,
    merchantId: null,
    participantId: own.participantId,
    participantMerchantId: merchantOf(own),
    scopes: usualAgentScopes,
    ...options,
    actor: ownActorOf(own),
    requestId: own.requestId,
    async takePermission({ sql }) {
      const { status } = await lockOwnParticipant(sql, own);
      if (status !== "active") {
        const detail = "The entry needs a verified domain to create initial access tokens for agents.";
        throw new DomainError("forbidden", { code: "participant_not_verified", message: detail });
      }
      if ((await countUsableInitialAccessTokens(sql, own.participantId, deps.clock.now())) >= maxUsable) {
        const detail = `An entry has at most ${maxUsable} active initial access tokens for agents. Revoke one first.`;
        throw new DomainError("conflict", { code: "too_many_tokens", message: detail });
      }
    },
  });

/**
 * A page of the tokens that the participant created for agents, newest first. @throws DomainError as
 * `lockOwnParticipant` does.
 */
export const listAgentTokens = (
  { db }: Pick<Deps, "db">,
  own: OwnCaller & { participantId: string } & PageRequest,
): Promise<{ tokens: ListedInitialAccessToken[]; hasMore: boolean }> =>
  db.sqlTransaction(async (sql) => {
    await lockOwnParticipant(sql, own, always);
    const { participantId } = own;
    const page = await findPage(own, "token", (id) => findAgentTokenPlace(sql, { participantId, id }));
    const { rows, hasMore } = cutPage(await findInitialAccessTokensOfParticipant(sql, { participantId, page }), page);
    return { tokens: rows, hasMore };
  });

/** @throws DomainError not_found for another participant's token, and the errors of `lockOwnParticipant`. */
export const revokeAgentToken = async (
  deps: Deps,
  own: OwnCaller & { participantId: string; requestId: string; tokenId: string },
): Promise<void> => {
  await deps.db.sqlTransaction((sql) => lockOwnParticipant(sql, own, always));
  const { participantId, requestId, tokenId } = own;
  const owner = { ownerId: null, participantId, participantMerchantId: merchantOf(own) };
  await revokeInitialAccessToken(deps, { tokenId, ...owner, actor: ownActorOf(own), requestId });
};
