import { createHash } from "node:crypto";
import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import {
  findNewestCatalogue,
  insertCouponVersion,
  insertPlanVersion,
  insertTaxRateVersion,
  lockCatalogue,
  setPlanFlags,
} from "../../data/billing/catalogue/catalogue-changes.ts";
import { listSubscribers, type SubscriberRow } from "../../data/billing/catalogue/subscribers.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import { type CatalogueChange, decideChanges } from "../rules/catalogue/decide-changes.ts";
import type { PlanDefinition } from "../rules/plans/plan.wire.ts";
import { toPlanTerms } from "../rules/plans/to-plan-terms.ts";
import { readCatalogue } from "./file/read-catalogue.ts";
import type { FileProblem } from "./file/read-yaml.ts";
import { findMissingCurrencies } from "./find-missing-currencies.ts";
import { type RepricedInvoice, repriceLastInvoices } from "./reprice-last-invoices.ts";

type Input = {
  /** the file's content */
  text: string;
  /** only reports what applying the file would change */
  isDryRun: boolean;
  actor: Actor;
  requestId: string;
};

/**
 * `lastInvoices`: one for each currency. Empty outside of dry runs, if the subscription has no invoice, and if the
 * prices don't change.
 */
export type AffectedSubscription = SubscriberRow & { lastInvoices: readonly RepricedInvoice[] };

/** The result of applying a file. `fileHash`: lower-case hex SHA-256 of the file. */
export type AppliedCatalogue =
  | { outcome: "refused"; problems: readonly FileProblem[] }
  | {
      outcome: "unchanged" | "changed";
      fileHash: string;
      changes: readonly CatalogueChange[];
      /** the subscriptions to the changed plans */
      subscribers: readonly AffectedSubscription[];
    };

/**
 * Applies a catalogue file in one transaction: all of it, or nothing if it has a problem. Entries of the catalogue that
 * aren't in the file are unchanged. Concurrent calls are applied one at a time.
 */
export const applyCatalogue = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { text, isDryRun, actor, requestId }: Input,
): Promise<AppliedCatalogue> => {
  const file = readCatalogue(text);
  return db.sqlTransaction(async (sql): Promise<AppliedCatalogue> => {
    if (!isDryRun) await lockCatalogue(sql);
    const at = await businessClock.now();
    const current = await findNewestCatalogue(sql);
    const { changes, problems } = decideChanges({ entries: file.entries, current, today: dayIn("UTC", at) });
    const planIds = changes.filter(({ kind }) => kind === "plan").map(({ id }) => id);
    const subscribers = await listSubscribers(sql, planIds);
    const inUse = await findMissingCurrencies(sql, { changes, subscribers, at });
    const all = [...file.problems, ...[...problems, ...inUse].map(file.locate)];
    if (all.length > 0) return { outcome: "refused", problems: inOrder(all) };
    const fileHash = createHash("sha256").update(text).digest("hex");
    if (changes.length === 0) return { outcome: "unchanged", fileHash, changes, subscribers: [] };
    if (isDryRun)
      return { outcome: "changed", fileHash, changes, subscribers: await repriceAll(sql, changes, subscribers) };
    for (const change of changes) await writeChange(sql, change, at);
    const data = { file_sha256: fileHash, changes: changes.map(toAuditData) };
    await appendAudit(sql, { at, actor, action: "catalogue.applied", subjectId: "catalogue", requestId, data });
    return { outcome: "changed", fileHash, changes, subscribers: subscribers.map(withoutInvoices) };
  });
};

const withoutInvoices = (subscriber: SubscriberRow): AffectedSubscription => ({ ...subscriber, lastInvoices: [] });

/** Only for plans with a new version, because other changes of a plan don't change its prices. */
const repriceAll = async (
  sql: Sql,
  changes: readonly CatalogueChange[],
  subscribers: readonly SubscriberRow[],
): Promise<AffectedSubscription[]> => {
  const termsOf = new Map(
    changes
      .filter(({ kind, from, version }) => kind === "plan" && from !== version)
      .map(({ id, definition }) => [id, toPlanTerms(definition as PlanDefinition)]),
  );
  const concerned = [];
  for (const subscriber of subscribers) {
    const terms = termsOf.get(subscriber.planId);
    const lastInvoices = terms ? await repriceLastInvoices(sql, { ...subscriber, terms }) : [];
    concerned.push({ ...subscriber, lastInvoices });
  }
  return concerned;
};

const inOrder = (problems: readonly FileProblem[]): FileProblem[] =>
  problems.toSorted((left, right) => left.line - right.line || left.column - right.column);

const writeChange = async (sql: Sql, change: CatalogueChange, at: Date): Promise<void> => {
  const { kind, id, from, version, hash, definition } = change;
  const row = { id, version, hash, definition, appliedAt: at };
  const isNewVersion = version !== from;
  switch (kind) {
    case "coupon":
      return insertCouponVersion(sql, row);
    case "tax_rate":
      return insertTaxRateVersion(sql, row);
    case "plan":
      if (isNewVersion && change.effectiveFrom !== null) {
        const isPublic = definition["public"] !== false;
        await insertPlanVersion(sql, { ...row, effectiveFrom: change.effectiveFrom, isPublic });
      }
      return setPlanFlags(sql, change);
  }
};

const toAuditData = ({ kind, id, from, version, differences }: CatalogueChange): JsonObject => ({
  kind,
  id,
  from,
  version,
  differences: differences as readonly JsonObject[],
});
