import { parseArgs } from "node:util";
import { isOperatorRole, type OperatorRole, operatorRoles } from "../../accounts/authorize.ts";
import { isEmailAddress, tidyEmail } from "../../kernel/text/email-address.ts";

/** `role`: null without `--role`. */
export type OperatorsArguments = { isSandbox: boolean } & (
  | { command: "add"; email: string; role: OperatorRole | null; reason: string }
  | { command: "remove"; email: string; reason: string }
  | { command: "list" }
);

const options = {
  role: { type: "string" },
  reason: { type: "string" },
  sandbox: { type: "boolean", default: false },
} as const;

/** @throws Error with one line that names the invalid argument. */
export const readOperatorsArguments = (args: readonly string[]): OperatorsArguments => {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [command = "", ...rest] = positionals;
  const isSandbox = values.sandbox;
  if (command !== "add" && values.role !== undefined) throw new Error("--role: only for add");
  if (command === "list" && values.reason !== undefined) throw new Error("--reason: only for add and remove");
  switch (command) {
    case "list":
      if (rest.length > 0) throw new Error(`list: takes no address (${rest.join(" ")})`);
      return { command, isSandbox };
    case "remove":
      return { command, isSandbox, email: readEmail(command, rest), reason: readReason(command, values.reason) };
    case "add": {
      const email = readEmail(command, rest);
      const role = readRole(values.role);
      return { command, isSandbox, role, email, reason: readReason(command, values.reason) };
    }
    default:
      throw new Error(`${command || "no command"}: use add EMAIL, list or remove EMAIL`);
  }
};

const readRole = (role: string | undefined): OperatorRole | null => {
  if (role === undefined) return null;
  if (!isOperatorRole(role)) throw new Error(`--role: must be one of ${operatorRoles.join(", ")}, not ${role}`);
  return role;
};

const readEmail = (command: string, [email, ...rest]: readonly string[]): string => {
  if (email === undefined || rest.length > 0) throw new Error(`${command}: name one e-mail address`);
  if (!isEmailAddress(email.trim())) throw new Error(`${command}: ${email} is not an e-mail address`);
  return tidyEmail(email);
};

/** For the audit log. Without a reason, the entry names the command, so that no entry is without a reason. */
const readReason = (command: string, reason = `npm run operators -- ${command}`): string => {
  const text = reason.trim();
  if (text.length < 3 || text.length > 500) throw new Error("--reason: must have 3 to 500 characters");
  return text;
};
