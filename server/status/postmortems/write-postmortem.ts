import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findIncident, lockIncident } from "../../data/status/incidents.ts";
import { type PostmortemText, savePostmortemRow } from "../../data/status/postmortems.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { incidentNotFound } from "../incidents/record-incident-update.ts";
import { nextUpdateTime } from "../rules/incidents/next-update-time.ts";
import { missingParts } from "../rules/incidents/postmortem-draft.ts";

type WrittenAction = {
  /** null: a new action */
  id: string | null;
  title: string;
  owner: string;
  /** midnight of a UTC day */
  dueOn: Date;
};

type Input = PostmortemText & {
  incidentId: string;
  /**
   * `updatedAt` of the version that the author edited; null if there was none. A newer version isn't overwritten,
   * because the author hasn't seen it.
   */
  seen: Date | null;
  actions: readonly WrittenAction[];
  /** false: saved as a draft; a published postmortem stays published */
  isPublished: boolean;
  /** for the audit log */
  reason: string;
  actor: Actor;
  requestId: string;
};

type Incident = NonNullable<Awaited<ReturnType<typeof findIncident>>>;

/**
 * Saves a postmortem as a draft, or publishes it. A published postmortem can be corrected. The same content is saved
 * once. Of two concurrent authors the second is refused.
 * @throws DomainError incident_not_found, postmortem_too_early, postmortem_changed, postmortem_incomplete.
 */
export const writePostmortem = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  input: Input,
): Promise<{ isNew: boolean; updatedAt: Date }> =>
  db.transaction(async (tx) => {
    const { incidentId, seen, reason, actor, requestId } = input;
    const incident = (await lockIncident(tx.sql, incidentId)) ? await findIncident({ prisma: tx }, incidentId) : null;
    if (!incident) throw incidentNotFound();
    const known = incident.postmortem;
    const updatedAt = nextUpdateTime(clock.now(), known ? [known.updatedAt] : []);
    const publishedAt = known?.publishedAt ?? (input.isPublished ? updatedAt : null);
    const { summary, timeline, causes } = input;
    const actions = positionedActions(input, incident);
    if (known && isSame(known, { summary, timeline, causes, actions, publishedAt })) {
      return { isNew: false, updatedAt: known.updatedAt };
    }
    refuseInvalid(incident, input, publishedAt);
    const row = { summary, timeline, causes, publishedAt, author: known?.author ?? actor.id, updatedAt };
    await savePostmortemRow(tx, { incidentId, row, actions });
    await appendAudit(tx.sql, {
      at: updatedAt,
      actor,
      requestId,
      subjectId: incidentId,
      action: publishedAt === updatedAt ? "postmortem.published" : "postmortem.saved",
      data: { actions: actions.length, is_public: publishedAt !== null, seen: seen?.toISOString() ?? null, reason },
    });
    return { isNew: true, updatedAt };
  });

const refuseInvalid = (incident: Incident, input: Input, publishedAt: Date | null): void => {
  if (incident.state !== "resolved") {
    const message = "Resolve the incident first. Then write its postmortem.";
    throw new DomainError("conflict", { code: "postmortem_too_early", message });
  }
  if (incident.postmortem?.updatedAt.getTime() !== input.seen?.getTime()) {
    const message = "Someone else has changed this postmortem. Copy your text, reload the page and add it again.";
    throw new DomainError("conflict", { code: "postmortem_changed", message });
  }
  const missing = publishedAt ? missingParts(input) : [];
  if (missing.length === 0) return;
  const message = "A published postmortem needs a summary, a timeline, causes and an action.";
  const errors = missing.map((part) => ({ pointer: `/${part}`, detail: message }));
  throw new DomainError("invalid", { code: "postmortem_incomplete", message, errors });
};

/** The actions in the given order. Existing actions keep their id and whether they are done. */
const positionedActions = ({ actions }: Input, { postmortem }: Incident) =>
  actions.map(({ id, ...action }, index) => {
    const known = postmortem?.actions.find((one) => one.id === id);
    return { ...action, id: known?.id ?? newId("act"), position: index + 1, doneAt: known?.doneAt ?? null };
  });

type Content = PostmortemText & { publishedAt: Date | null; actions: readonly WrittenAction[] };

/** Compares without ids: new actions get new ids. */
const isSame = (left: Content, right: Content): boolean => contentOf(left) === contentOf(right);

const contentOf = ({ summary, timeline, causes, publishedAt, actions }: Content): string =>
  JSON.stringify([
    summary,
    timeline,
    causes,
    publishedAt !== null,
    actions.map(({ title, owner, dueOn }) => [title, owner, dueOn]),
  ]);
