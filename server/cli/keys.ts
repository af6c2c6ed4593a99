import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Deps } from "../deps/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { type KeyPurpose, keyPurposes } from "../kernel/key-purpose.ts";
import { listKeys, type SigningKeyView } from "../oauth/keys/list-signing-keys.ts";
import { refreshMilliseconds } from "../oauth/keys/load-key-ring.ts";
import { revokeSigningKey } from "../oauth/keys/revoke-signing-key.ts";
import { rotateSigningKey } from "../oauth/keys/rotate-signing-key.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { joinDashedValues } from "./arguments/dashed-values.ts";
import { enterService } from "./service/started-service.ts";
import { withDeps } from "./service/with-deps.ts";

const usage = `npm run keys -- list   [--purpose P] [--all]               lists the valid keys; with --all also deleted and revoked ones
npm run keys -- rotate  --purpose P [--reason R]           makes the next key active
npm run keys -- revoke  --purpose P [--kid K] [--reason R]  revokes a key, and invalidates everything that the key signed
P: ${keyPurposes.join(", ")}; with --sandbox: the sandbox's keys`;

answerHelp(usage);

const refuse = (problem: string): never => {
  process.stderr.write(`${problem}\n${usage}\n`);
  process.exit(1);
};

const options = {
  purpose: { type: "string" },
  kid: { type: "string" },
  reason: { type: "string", default: "" },
  sandbox: { type: "boolean", default: false },
  all: { type: "boolean", default: false },
} as const;

const readArguments = () => {
  try {
    const args = joinDashedValues(process.argv.slice(2), ["kid"], options);
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const purpose = keyPurposes.find((known) => known === values.purpose) ?? null;
    const [command = "", ...rest] = positionals;
    if (rest.length > 0) return refuse(`${rest.join(" ")}: not expected after ${command}`);
    if (values.purpose !== undefined && purpose === null)
      return refuse(`--purpose: must be one of ${keyPurposes.join(", ")}`);
    return { ...values, command, purpose, kid: values.kid ?? null };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
};

const given = readArguments();
const by = { actor: { kind: "operator", id: "command-line" } as const, requestId: newId("req") };

const ages = (from: Date, to: Date): string => {
  const seconds = Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));
  for (const [unit, size] of [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
  ] as const) {
    if (seconds >= 2 * size) return `${Math.floor(seconds / size)} ${unit}`;
  }
  return `${seconds} s`;
};

const comingWords = { next: "can become active in", active: "rotates in", retired: "published for" } as const;

const comingOf = ({ state, until }: SigningKeyView, now: Date): string => {
  if (!(state in comingWords) || !until) return "";
  if (state === "next" && until <= now) return "can become active now";
  return `${comingWords[state as keyof typeof comingWords]} ${ages(now, until)}`;
};

const line = (key: SigningKeyView, now: Date): string[] => {
  const { purpose, kid, state, createdAt, since } = key;
  const coming = comingOf(key, now);
  return [purpose, state, kid, `made ${ages(createdAt, now)} ago`, `${state} for ${ages(since, now)}`, coming];
};

const list = async (deps: Deps): Promise<string> => {
  const { keys, credentialsToWithdraw } = await listKeys(deps);
  const now = deps.clock.now();
  const listed = keys
    .filter(({ purpose }) => given.purpose === null || purpose === given.purpose)
    .filter(({ state }) => given.all || (state !== "deleted" && state !== "revoked"));
  const rows = listed.map((key) => line(key, now));
  const widths = rows.reduce<number[]>((wide, row) => row.map((cell, at) => Math.max(cell.length, wide[at] ?? 0)), []);
  const table = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  if (credentialsToWithdraw > 0)
    table.push(`credentials signed by revoked keys, with clients not notified yet: ${credentialsToWithdraw}`);
  return table.join("\n");
};

const rotate = async (deps: Deps, purpose: KeyPurpose): Promise<string> => {
  const rotation = await rotateSigningKey(deps, { purpose, reason: given.reason, ...by });
  return rotation.outcome === "rotated"
    ? `${purpose}: ${rotation.kid} now signs`
    : `${purpose}: ${rotation.kid} is published and becomes active in ${ages(deps.clock.now(), rotation.at)}`;
};

const revoke = async (deps: Deps): Promise<string> => {
  const { kid: named, purpose, reason } = given;
  const { keys } = await listKeys(deps);
  const kid = keys.find((key) =>
    named === null
      ? key.purpose === purpose && key.state === "active"
      : key.kid === named && key.purpose === (purpose ?? key.purpose),
  )?.kid;
  if (kid === undefined) throw new DomainError("not_found", { code: "not_found", message: "Signing key not found." });
  const revoked = await revokeSigningKey(deps, { kid, reason, ...by });
  // Within this time, every process of the service updates its keys from the database.
  await sleep(refreshMilliseconds + 500);
  return revoked.isNew ? `${revoked.purpose}: ${kid} is revoked` : `${revoked.purpose}: ${kid} was already revoked`;
};

const run = async (deps: Deps): Promise<string> => {
  if (given.command === "list") return list(deps);
  if (given.command === "rotate" && given.purpose !== null) return rotate(deps, given.purpose);
  return revoke(deps);
};

if (!["list", "rotate", "revoke"].includes(given.command))
  refuse(`${given.command || "no command"}: use list, rotate or revoke`);
if (given.command === "rotate" && given.purpose === null) refuse("--purpose: name the purpose of the key");
if (given.command === "revoke" && given.purpose === null && given.kid === null)
  refuse("--purpose or --kid: name the key");
await enterService(given.sandbox ? "sandbox" : "production");
await withDeps(run);
