import type { ReactNode } from "react";
import type { SoftwareStatement } from "#server/trpc/merchant/directory/software-statement-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import { tokenStates } from "../../format/labels/token-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Pager } from "../../portal/lists/pager.tsx";
import { Section } from "../../portal/page-head.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { RevokeStatement } from "./revoke-statement.tsx";

type StatementSectionProps = {
  statements: readonly SoftwareStatement[];
  now: Date;
  reader: Reader;
  /** null: the reader can't get statements */
  act: ReactNode;
  mayRevoke: boolean;
  newest: string | null;
  older: string | null;
};

/** The software statements that the directory signed for a merchant, newest first. */
export const StatementSection = ({ newest, older, act, ...list }: StatementSectionProps) => (
  <Section title="Software statements" act={list.statements.length > 0 ? act : null}>
    {list.statements.length > 0 ? (
      <StatementTable {...list} />
    ) : (
      <EmptyState title="No statements yet" act={act}>
        A software statement is signed by the directory. It confirms the name, the redirect URIs and the keys of your
        software when a client is registered. You need a verified domain in the directory.
      </EmptyState>
    )}
    <Pager newest={newest} older={older} />
  </Section>
);

/** @param isVerified the merchant's entry in the directory has a verified domain */
export const NewStatementLink = ({ isVerified }: { isVerified: boolean }) =>
  isVerified ? (
    <ButtonLink href="/merchant/apps/new-statement" size="small">
      New statement
    </ButtonLink>
  ) : (
    <ButtonLink href="/merchant/directory" size="small">
      Verify a domain
    </ButtonLink>
  );

const StatementTable = ({
  statements,
  now,
  reader,
  mayRevoke,
}: Pick<StatementSectionProps, "statements" | "now" | "reader" | "mayRevoke">) => {
  const when = (text: string) => formatRelativeDateTime(new Date(text), now, reader);
  return (
    <Table
      caption="Software statements"
      columns={["Software", { id: "Software ID" }, { date: "Expires" }, { short: "Status" }]}
    >
      <tbody>
        {statements.map(({ id, clientName, softwareId, state, maker, createdAt, expiresAt }) => (
          <tr key={id}>
            <td>
              {clientName}
              <CellNote>
                {when(createdAt)}
                {maker === null ? "" : `, requested by ${maker}`}
              </CellNote>
            </td>
            <td>{softwareId}</td>
            <td className="muted">{when(expiresAt)}</td>
            <td>
              {mayRevoke && state === "live" ? (
                <RevokeStatement statementId={id} name={clientName} />
              ) : (
                <Pill tone={tokenStates[state].tone}>{tokenStates[state].label}</Pill>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
};
