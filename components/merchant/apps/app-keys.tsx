import type { MerchantAppDetail } from "#server/trpc/merchant/app-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { RemoveKey } from "./remove-key.tsx";

type Props = { app: MerchantAppDetail; now: Date; reader: Reader; email: string; mayRemove: boolean };

/** The keys that the app may sign with, each with its last use. */
export const AppKeys = ({ app, now, reader, email, mayRemove }: Props) => {
  if (app.keys.length === 0) {
    return (
      <EmptyState title="No keys loaded yet">
        The keys are loaded from {app.jwksUri} when the app first signs a request.
      </EmptyState>
    );
  }
  const isRemovable = mayRemove && app.jwksUri === null && app.keys.length > 1;
  const note = app.jwksUri
    ? "To change the keys, change the JWK Set at its URL. A new key is loaded when it is first used."
    : app.keys.length > 1
      ? "All listed keys are valid. When all your servers use the new key, remove the old one."
      : "To rotate this key, add a new one, deploy it, then remove this one.";
  return (
    <>
      <Table
        caption="Keys"
        columns={[
          { id: "Key ID (kid)" },
          { short: "Algorithm" },
          { date: "Last used" },
          ...(isRemovable ? [{ acts: "Actions" }] : []),
        ]}
      >
        <tbody>
          {app.keys.map(({ kid, alg, thumbprint, lastUsedAt }) => (
            <tr key={thumbprint}>
              <td>
                {kid ?? "None"}
                {kid === thumbprint ? null : <CellNote>Thumbprint {thumbprint}</CellNote>}
              </td>
              <td>{alg ?? "Any"}</td>
              <td className="muted">
                {lastUsedAt ? formatRelativeDateTime(new Date(lastUsedAt), now, reader) : "Never"}
              </td>
              {isRemovable ? (
                <td>
                  <RemoveKey clientId={app.id} thumbprint={thumbprint} kid={kid ?? thumbprint} email={email} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="small muted">{note}</p>
    </>
  );
};
