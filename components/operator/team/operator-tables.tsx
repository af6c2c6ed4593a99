import type { TeamInvitation, TeamOperator } from "#server/trpc/operator/operator-team-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import portal from "../../portal/portal.module.css";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { IfAllowed } from "../if-allowed.tsx";
import { ChangeRole } from "./change-role.tsx";
import { NewLink } from "./new-link.tsx";
import { RemoveOperator } from "./remove-operator.tsx";
import { operatorRoleLabels } from "./role-labels.ts";

type Context = { now: Date; reader: Reader; email: string };

const factorOf = ({ passkeys, hasTotp }: TeamOperator): string => {
  const parts = [passkeys > 0 ? "Passkey" : null, hasTotp ? "Authenticator app" : null].filter(Boolean);
  return parts.length > 0 ? parts.join(" and ") : "None\u00a0yet";
};

const historyMilliseconds = 90 * 86_400_000;

/** The sign-in history covers the last 90 days. */
const noSignIn = ({ createdAt }: TeamOperator, now: Date): string =>
  now.getTime() - Date.parse(createdAt) < historyMilliseconds ? "Never" : "Over 90 days ago, or never";

/** An e-mail address that breaks after the @ if it is too long for its cell. */
const BreakableEmail = ({ email }: { email: string }) => {
  const domainAt = email.lastIndexOf("@") + 1;
  return (
    <>
      {email.slice(0, domainAt)}
      <wbr />
      {email.slice(domainAt)}
    </>
  );
};

/** @param email the address of the reader, for the confirmation of risky actions */
export const OperatorTable = ({ operators, now, reader, email }: Context & { operators: readonly TeamOperator[] }) => (
  <Table
    caption="Operators"
    columns={["Operator", { date: "Last sign-in" }, { short: "Second factor" }, { short: "Role" }, { acts: "Actions" }]}
  >
    <tbody>
      {operators.map((one) => (
        <tr key={one.id}>
          <td>
            {one.name}
            <CellNote>
              <BreakableEmail email={one.email} />
              {one.email === email ? "\u00a0(you)" : null}
            </CellNote>
          </td>
          <td className="muted">
            {one.lastSignInAt ? formatRelativeDateTime(new Date(one.lastSignInAt), now, reader) : noSignIn(one, now)}
          </td>
          <td>{factorOf(one)}</td>
          <td>
            <Pill tone={one.role === "admin" ? "note" : "neutral"}>{operatorRoleLabels[one.role].name}</Pill>
          </td>
          <td>
            <div className={portal.acts}>
              <IfAllowed action="operator.change_role">
                <ChangeRole accountId={one.id} name={one.email} role={one.role} email={email} />
              </IfAllowed>
              <IfAllowed action="operator.invite">
                <NewLink target={one.email} role={one.role} kind="reset" email={email} />
              </IfAllowed>
              <IfAllowed action="operator.remove">
                <RemoveOperator target={one.email} kind="operator" email={email} />
              </IfAllowed>
            </div>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

export const InvitationTable = ({
  invitations,
  now,
  reader,
  email,
}: Context & { invitations: readonly TeamInvitation[] }) => (
  <Table
    caption="Pending invitations"
    columns={["E-mail", { date: "Valid until" }, { short: "Role" }, { acts: "Actions" }]}
  >
    <tbody>
      {invitations.map((one) => (
        <tr key={one.id}>
          <td>{one.email}</td>
          <td className="muted">{formatRelativeDateTime(new Date(one.expiresAt), now, reader)}</td>
          <td>{operatorRoleLabels[one.role].name}</td>
          <td>
            <div className={portal.acts}>
              <IfAllowed action="operator.invite">
                <NewLink target={one.email} role={one.role} kind="renew" email={email} />
              </IfAllowed>
              <IfAllowed action="operator.remove">
                <RemoveOperator target={one.email} kind="invitation" email={email} />
              </IfAllowed>
            </div>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
