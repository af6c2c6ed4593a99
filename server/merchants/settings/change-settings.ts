import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import {
  findParticipantOfMerchant,
  lockParticipant,
  renameParticipantOfMerchant,
} from "../../data/directory/participant-changes.ts";
import {
  lockMerchantSettings,
  type MerchantSettingsRow,
  updateMerchantSettings,
} from "../../data/merchants/merchant-settings.ts";
import type { Deps } from "../../deps/deps.ts";
import { recordMerchantChange } from "../../directory/merchant-entries/record-merchant-change.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { merchantNotFound } from "../merchant-not-found.ts";
import {
  changedSettings,
  fixedSettings,
  type SettingChange,
  type SettingForm,
  type SettingName,
} from "../rules/settings.ts";
import { settingsVersion } from "./settings-version.ts";

type Input = {
  merchantId: string;
  form: SettingForm;
  /** the fields that a member changed; all others keep their values */
  change: SettingChange;
  /** version of the values that the form was loaded with */
  version: string;
  actor: Actor;
  requestId: string;
};

/**
 * Changes settings of a merchant. Of concurrent changes of one form, only the first one succeeds. Repeating a change
 * changes nothing.
 * @throws DomainError not_found, settings_changed, setting_fixed, participant_suspended.
 */
export const changeSettings = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, form, change, version, actor, requestId }: Input,
): Promise<{ version: string }> =>
  deps.db.sqlTransaction(async (sql) => {
    const current = await lockMerchantSettings(sql, merchantId);
    if (!current) throw merchantNotFound();
    const changed = changedSettings(current, change);
    if (changed.length === 0) return { version: settingsVersion(current, form) };
    if (version !== settingsVersion(current, form)) throw conflict();
    refuseFixed(current, changed);
    const { review: _, ...values } = current;
    const next = { ...values, ...(pick(change, changed) as Partial<typeof values>) };
    await updateMerchantSettings(sql, merchantId, next);
    const at = deps.clock.now();
    const { environment } = deps.config;
    await changeEntry(sql, { changed, next, record: { merchantId, changedBy: actor.kind, environment, at } });
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.settings_changed",
      data: { before: pick(current, changed), after: pick(next, changed) },
    });
    return { version: settingsVersion(next, form) };
  });

type EntryChange = {
  changed: readonly SettingName[];
  next: Pick<MerchantSettingsRow, "displayName" | "legalName">;
  record: Omit<Parameters<typeof recordMerchantChange>[1], "change">;
};

/** The directory's entry gets the names that changed, and shows the new currency. */
const changeEntry = async (sql: Sql, { changed, next, record }: EntryChange): Promise<void> => {
  const { merchantId } = record;
  const nameOf = (name: "displayName" | "legalName") => (changed.includes(name) ? next[name] : null);
  const names = { displayName: nameOf("displayName"), legalName: nameOf("legalName") };
  const isRenamed = names.displayName !== null || names.legalName !== null;
  if (isRenamed) {
    await refuseSuspendedEntry(sql, { merchantId, names: changed.filter((name) => name in names) });
    await renameParticipantOfMerchant(sql, { merchantId, ...names });
  }
  const hasCurrency = changed.includes("currency");
  if (!isRenamed && !hasCurrency) return;
  await recordMerchantChange(sql, { ...record, change: isRenamed ? "edited" : "capabilities_changed" });
};

/** A suspended entry can't be changed. Its names are the merchant's, so they can't be changed either. */
const refuseSuspendedEntry = async (
  sql: Sql,
  { merchantId, names }: { merchantId: string; names: readonly SettingName[] },
): Promise<void> => {
  const id = await findParticipantOfMerchant(sql, merchantId);
  const entry = id === null ? null : await lockParticipant(sql, { id, clientId: null, merchantId });
  if (!entry?.isOwn || !entry.isSuspended) return;
  const message =
    "The merchant or its directory entry is suspended. The names can’t be changed until the suspension ends.";
  const errors = names.map((name) => ({ pointer: `/${name}`, detail: message }));
  throw new DomainError("conflict", { code: "participant_suspended", message, errors });
};

const pick = (values: SettingChange, names: readonly SettingName[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

const conflict = () =>
  new DomainError("conflict", {
    code: "settings_changed",
    message:
      "Someone else changed these settings while you edited them. Your entries are kept: check them, and save again.",
  });

const refuseFixed = (current: MerchantSettingsRow, changed: readonly SettingName[]): void => {
  const fixed = fixedSettings(current).filter((name) => changed.includes(name));
  if (fixed.length === 0) return;
  const message = "The merchant is approved, so its members can’t change this value any more. Contact Paygrant.";
  const errors = fixed.map((name) => ({ pointer: `/${name}`, detail: message }));
  throw new DomainError("unprocessable", { code: "setting_fixed", message, errors });
};
