import type { MerchantRole } from "#server/accounts/authorize.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { Table } from "../../ui/table.tsx";
import { InvitationActs } from "./invitation-acts.tsx";
import { roleName } from "./roles.ts";

type Invitation = { id: string; email: string; role: MerchantRole; expiresAt: string; isExpired: boolean };

/** Open invitations, newest first. */
export const TeamInvitationTable = ({
  merchantId,
  invitations,
  acts,
  reader,
}: {
  merchantId: string;
  invitations: readonly Invitation[];
  acts: { maySend: boolean; mayCancel: boolean };
  reader: Reader;
}) => (
  <Table
    caption="Open invitations"
    columns={["E-mail", { short: "Role" }, { date: "Valid until" }, { short: "Status" }, { acts: "Actions" }]}
  >
    <tbody>
      {invitations.map((invitation) => (
        <tr key={invitation.id}>
          <td>{invitation.email}</td>
          <td>{roleName(invitation.role)}</td>
          <td className="muted">{formatDateTime(new Date(invitation.expiresAt), reader)}</td>
          <td>{invitation.isExpired ? <Pill tone="bad">Expired</Pill> : <Pill tone="unknown">Pending</Pill>}</td>
          <td>
            <InvitationActs merchantId={merchantId} invitationId={invitation.id} invited={invitation.email} {...acts} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
