import type { AffectedSubscription, AppliedCatalogue } from "../../billing/catalogue/apply-catalogue.ts";
import type { FileProblem } from "../../billing/catalogue/file/read-yaml.ts";
import type { CatalogueChange } from "../../billing/rules/catalogue/decide-changes.ts";
import type { DefinitionChange } from "../../billing/rules/catalogue/diff-definitions.ts";
import type { SubscriberRow } from "../../data/billing/catalogue/subscribers.ts";
import { toDecimal } from "../../kernel/money/money.ts";

type Applied = Exclude<AppliedCatalogue, { outcome: "refused" }>;

const nouns: Readonly<Record<CatalogueChange["kind"], string>> = {
  plan: "plan",
  coupon: "coupon",
  tax_rate: "tax rate",
};

const renderDifference = ({ path, from, to }: DefinitionChange): string => {
  if (from === undefined) return `  + ${path}: ${JSON.stringify(to)}`;
  if (to === undefined) return `  - ${path}: ${JSON.stringify(from)}`;
  return `  ~ ${path}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`;
};

const renderChange = ({ kind, id, from, version, effectiveFrom, differences }: CatalogueChange): string => {
  const start = effectiveFrom === null ? "" : `, effective from ${effectiveFrom}`;
  const state =
    from === null
      ? `new, version ${version}${start}`
      : from === version
        ? `still version ${version}`
        : `version ${from} → ${version}${start}`;
  return [`${nouns[kind]} ${id}: ${state}`, ...differences.map(renderDifference)].join("\n");
};

const movesTo = (applied: Applied, { planId, planVersion }: SubscriberRow): number | null => {
  const target = applied.changes.find(({ kind, id }) => kind === "plan" && id === planId)?.migratesTo.at(-1);
  return target !== undefined && target > planVersion ? target : null;
};

const renderInvoice = ({ number, currency, total, newTotal }: AffectedSubscription["lastInvoices"][number]): string => {
  const money = (amountMinor: bigint) => `${toDecimal({ amountMinor, currency })} ${currency}`;
  const after = newTotal === null ? `no prices in ${currency}` : money(newTotal);
  return `; last invoice ${number}: ${money(total)} → ${after}`;
};

const renderSubscribers = (applied: Applied): string[] => {
  if (applied.subscribers.length === 0) return [];
  const lines = applied.subscribers.map((subscriber) => {
    const { subscriptionId, merchantId, merchantName, planId, planVersion } = subscriber;
    const target = movesTo(applied, subscriber);
    const effect =
      target === null ? `stays on version ${planVersion}` : `version ${planVersion} → ${target} at its next period`;
    const invoices = subscriber.lastInvoices.map(renderInvoice).join("");
    return `  ${planId} ${subscriptionId} ${merchantName} (${merchantId}): ${effect}${invoices}`;
  });
  return ["subscriptions to the changed plans:", ...lines];
};

/** The result as human-readable text. */
export const renderApplied = (applied: Applied, isDryRun: boolean): string => {
  const { outcome, changes } = applied;
  if (outcome === "unchanged") return "no changes";
  const total = `${changes.length} change${changes.length === 1 ? "" : "s"}`;
  const last = isDryRun ? `${total}; dry run: nothing was applied` : `${total} applied`;
  return [...changes.map(renderChange), ...renderSubscribers(applied), last].join("\n");
};

/** A JSON pointer as a dotted path, for example `plans.pro.name` for `/plans/pro/name`. */
const pathOf = (pointer: string): string =>
  pointer.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");

/** One line per problem. */
export const renderProblems = (problems: readonly FileProblem[]): string =>
  problems
    .map(({ line, column, pointer, message }) => {
      const path = pathOf(pointer);
      return `line ${line}, column ${column}: ${path === "" ? "" : `${path}: `}${message}`;
    })
    .join("\n");

/** The result as machine-readable JSON. */
export const appliedToJson = (applied: AppliedCatalogue, isDryRun: boolean): object => {
  if (applied.outcome === "refused") {
    const errors = applied.problems.map(({ line, column, pointer, message }) => ({
      line,
      column,
      path: pathOf(pointer),
      message,
    }));
    return { outcome: applied.outcome, dry_run: isDryRun, errors };
  }
  const changes = applied.changes.map((change) => ({
    kind: change.kind,
    id: change.id,
    from_version: change.from,
    version: change.version,
    ...(change.kind === "plan"
      ? {
          effective_from: change.effectiveFrom,
          retired: change.isRetired,
          migrates_to: change.migratesTo.at(-1) ?? null,
        }
      : {}),
    differences: change.differences,
  }));
  const subscriptions = applied.subscribers.map((subscriber) => ({
    id: subscriber.subscriptionId,
    merchant_id: subscriber.merchantId,
    plan: { id: subscriber.planId, version: subscriber.planVersion },
    migrates_to: movesTo(applied, subscriber),
    last_invoices: subscriber.lastInvoices.map(({ id, number, currency, total, newTotal }) => ({
      id,
      number,
      currency,
      total: Number(total),
      total_at_new_prices: newTotal === null ? null : Number(newTotal),
    })),
  }));
  return { outcome: applied.outcome, dry_run: isDryRun, file_sha256: applied.fileHash, changes, subscriptions };
};
