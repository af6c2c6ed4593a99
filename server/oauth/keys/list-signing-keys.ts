import { countWithdrawnCredentials } from "../../data/credentials/mandate-credentials.ts";
import { listSigningKeys, type SigningKeyRow, type SigningKeyState } from "../../data/oauth/signing-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { rotationSeconds, signsFrom } from "../rules/key-life.ts";

export type SigningKeyView = {
  purpose: string;
  kid: string;
  state: SigningKeyState;
  createdAt: Date;
  /** start of this state */
  since: Date;
  /**
   * when this state ends: a next key may start to sign, an active key is rotated, a retired key is deleted; null for a
   * final state, and for a next key that isn't published yet
   */
  until: Date | null;
};

const order: readonly SigningKeyState[] = ["active", "next", "retired", "revoked", "deleted"];
/** Sorts by purpose, then by state: the active key, the next one and the retired ones, newest first. */
const byPurposeAndState = (left: SigningKeyView, right: SigningKeyView): number =>
  left.purpose.localeCompare(right.purpose) ||
  order.indexOf(left.state) - order.indexOf(right.state) ||
  +right.createdAt - +left.createdAt;

/** All keys by purpose and state, and the number of credentials of revoked keys whose clients aren't notified yet. */
export const listKeys = async ({
  db,
  config,
}: Pick<Deps, "db" | "config">): Promise<{ keys: SigningKeyView[]; credentialsToWithdraw: number }> => {
  const [rows, credentialsToWithdraw] = await Promise.all([listSigningKeys(db), countWithdrawnCredentials(db.sql)]);
  const views = rows.map((row) => toView(row, config.jwksMaxAgeSeconds)).toSorted(byPurposeAndState);
  const keys = views.map((view) => (view.state === "active" ? untilNextSigns(view, views) : view));
  return { keys, credentialsToWithdraw };
};

/** An active key whose rotation was requested signs until the next key of its purpose can. */
const untilNextSigns = (active: SigningKeyView, views: readonly SigningKeyView[]): SigningKeyView => {
  const next = views.find(({ purpose, state }) => purpose === active.purpose && state === "next");
  const isWaiting = active.until !== null && next?.until && next.until > active.until;
  return isWaiting ? { ...active, until: next.until } : active;
};

const toView = (row: SigningKeyRow, jwksMaxAgeSeconds: number): SigningKeyView => {
  const { purpose, kid, state, createdAt } = row;
  const activeSince = row.activatedAt ?? createdAt;
  const times: Record<SigningKeyState, { since: Date | null; until: Date | null }> = {
    next: { since: createdAt, until: signsFrom(row, jwksMaxAgeSeconds) },
    active: { since: activeSince, until: row.rotationRequestedAt ?? addSeconds(activeSince, rotationSeconds) },
    retired: { since: row.retiredAt, until: row.publishUntil },
    deleted: { since: row.deletedAt, until: null },
    revoked: { since: row.revokedAt, until: null },
  };
  return { purpose, kid, state, createdAt, since: times[state].since ?? createdAt, until: times[state].until };
};
