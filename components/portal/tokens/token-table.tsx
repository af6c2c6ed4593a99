import type { ReactNode } from "react";
import type { InitialToken } from "#server/trpc/merchant/app-views.ts";
import { formatRelativeDateTime, formatRelativeInSentence } from "../../format/dates.ts";
import { tokenStates } from "../../format/labels/token-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { ScopeNotes } from "./scope-notes.tsx";
import styles from "./token-table.module.css";

/** Initial access tokens, newest first, without the token values. */
export const TokenTable = ({
  tokens,
  now,
  reader,
  act,
}: {
  tokens: readonly InitialToken[];
  now: Date;
  reader: Reader;
  /** the action for a live token; null if the reader may not act */
  act: ((token: InitialToken) => ReactNode) | null;
}) => {
  const when = (text: string) => formatRelativeDateTime(new Date(text), now, reader);
  return (
    <Table
      caption="Initial access tokens"
      columns={["Token", "Allowed scopes", { figure: "Uses left" }, { date: "Expires" }, { short: "Status" }]}
    >
      <tbody>
        {tokens.map((token) => {
          const { tone, label } = tokenStates[token.state];
          return (
            <tr key={token.id}>
              <td className={styles.name}>
                {token.label ?? token.id}
                <CellNote>
                  {when(token.createdAt)}, {token.maker ? `created by ${token.maker}` : "created on the command line"}
                </CellNote>
              </td>
              <td>
                <ScopeNotes scopes={token.scopes} />
              </td>
              <td>
                {token.usesLeft}
                <CellNote>
                  {token.lastUsedAt
                    ? `Last used ${formatRelativeInSentence(new Date(token.lastUsedAt), now, reader)}`
                    : "Never used"}
                </CellNote>
              </td>
              <td className="muted">{when(token.expiresAt)}</td>
              <td>{act && token.state === "live" ? act(token) : <Pill tone={tone}>{label}</Pill>}</td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
};
