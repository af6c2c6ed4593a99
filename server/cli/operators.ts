import type { OperatorRole } from "../accounts/authorize.ts";
import type { Deps } from "../deps/deps.ts";
import { newId } from "../kernel/ids.ts";
import { type Invited, inviteOperator } from "../operators/invitations/invite-operator.ts";
import { listOperators } from "../operators/team/list-operators.ts";
import { removeOperator } from "../operators/team/remove-operator.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { type OperatorsArguments, readOperatorsArguments } from "./arguments/operators-arguments.ts";
import { withService } from "./service/with-service.ts";

const usage = `npm run operators -- add EMAIL [--role admin|support|viewer] [--reason TEXT]   prints a one-time link, valid for 24 hours
npm run operators -- list                                        lists operators and pending invitations
npm run operators -- remove EMAIL [--reason TEXT]                removes an operator or a pending invitation
--reason: for the audit log; without it, the audit log names the command
--role: without it, an operator or an open invitation keeps its role, and any other person becomes an admin
add again: renews the link; for an operator, sets the role, and the link resets the second factor
with --sandbox: the sandbox's operators. The service may be running`;
answerHelp(usage);

const readArguments = (): OperatorsArguments => {
  try {
    return readOperatorsArguments(process.argv.slice(2));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${problem.split("\n", 1)[0]}\n`);
    return process.exit(1);
  }
};

const given = readArguments();
const by = { actor: { kind: "operator", id: "command-line" } as const, requestId: newId("req") };

const explain = ({ outcome, role, isRoleChanged, expiresAt }: Invited): string => {
  const use = `works once, until ${expiresAt.toISOString()}`;
  if (outcome !== "operator") {
    return outcome === "renewed"
      ? `invited as ${role}; the earlier link is invalid. The new link ${use}:`
      : `invited as ${role}. The link ${use}:`;
  }
  const change = isRoleChanged ? `the role is now ${role}` : `is an operator with the role ${role}`;
  return `${change}. To reset the second factor, open the link. It ${use}:`;
};

const add = async (
  deps: Deps,
  { email, role, reason }: { email: string; role: OperatorRole | null; reason: string },
): Promise<string> => {
  const invited = await inviteOperator(deps, { email, role, reason, ...by });
  process.stderr.write(`${email}: ${explain(invited)}\n`);
  return invited.link;
};

const list = async (deps: Deps): Promise<string> => {
  const { operators, invitations } = await listOperators(deps);
  const factor = ({ passkeys, hasTotp }: (typeof operators)[number]): string =>
    [passkeys > 0 ? "passkey" : null, hasTotp ? "app" : null].filter(Boolean).join(" and ") || "none";
  const rows = [
    ...operators.map((one) => {
      const signedIn = one.lastSignInAt
        ? `last sign-in ${one.lastSignInAt.toISOString()}`
        : "no sign-in in the last 90 days";
      return [one.email, one.role, signedIn, `second factor: ${factor(one)}`];
    }),
    ...invitations.map(({ email, role, expiresAt }) => [email, role, `invited until ${expiresAt.toISOString()}`, ""]),
  ];
  if (rows.length === 0)
    return `no operators yet: npm run operators -- add EMAIL${given.isSandbox ? " --sandbox" : ""}`;
  const widths = rows.reduce<number[]>((wide, row) => row.map((cell, at) => Math.max(cell.length, wide[at] ?? 0)), []);
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};

const remove = async (deps: Deps, { email, reason }: { email: string; reason: string }): Promise<string> => {
  const { wasOperator } = await removeOperator(deps, { email, reason, ...by });
  return wasOperator ? `${email} is no longer an operator` : `the invitation to ${email} is no longer valid`;
};

const run = (deps: Deps): Promise<string> => {
  switch (given.command) {
    case "add":
      return add(deps, given);
    case "list":
      return list(deps);
    case "remove":
      return remove(deps, given);
  }
};

await withService(given.isSandbox ? "sandbox" : "production", run);
process.disconnect?.();
