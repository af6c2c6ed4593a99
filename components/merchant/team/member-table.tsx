import type { MerchantRole } from "#server/accounts/authorize.ts";
import { formatShortDate } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { CellNote, Table } from "../../ui/table.tsx";
import { LeaveTeam } from "./leave-team.tsx";
import { MemberActs } from "./member-acts.tsx";
import { roleName } from "./roles.ts";

type Member = {
  accountId: string;
  name: string;
  email: string;
  role: MerchantRole;
  isOnlyOwner: boolean;
  since: string;
};

type TeamProps = {
  /** the signed-in member */
  self: { accountId: string; role: MerchantRole; email: string };
  merchant: { merchantId: string; merchantName: string };
  mayChange: boolean;
  reader: Reader;
};

const onlyOwnerNote = "You are the only owner. To leave, transfer the ownership to another member first.";

/** Members with their roles, owners first. */
export const MemberTable = ({ members, ...team }: TeamProps & { members: readonly Member[] }) => (
  <Table caption="Members" columns={["Member", { date: "Since" }, { short: "Role" }, { acts: "Actions" }]}>
    <tbody>{members.map((member) => memberRow(member, team))}</tbody>
  </Table>
);

/** A function and not a component, because `Table` can't label the cells that a component renders. */
const memberRow = (member: Member, { self, merchant, mayChange, reader }: TeamProps) => {
  const isSelf = member.accountId === self.accountId;
  const isProtected = member.role === "owner" && self.role !== "owner";
  return (
    <tr key={member.accountId}>
      <td>
        {member.name}
        {isSelf ? " (you)" : ""}
        <CellNote>{member.email}</CellNote>
        {isSelf && member.isOnlyOwner ? <CellNote>{onlyOwnerNote}</CellNote> : null}
      </td>
      <td className="muted">{formatShortDate(new Date(member.since), reader)}</td>
      <td>{roleName(member.role)}</td>
      <td>
        {isSelf && !member.isOnlyOwner ? <LeaveTeam {...merchant} /> : null}
        {mayChange && !isSelf && !isProtected ? (
          <MemberActs
            merchantId={merchant.merchantId}
            accountId={member.accountId}
            name={member.name}
            role={member.role}
            isOwner={self.role === "owner"}
            email={self.email}
          />
        ) : null}
      </td>
    </tr>
  );
};
