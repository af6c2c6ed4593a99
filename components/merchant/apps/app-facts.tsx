import type { MerchantAppDetail } from "#server/trpc/merchant/app-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";

type Props = { app: MerchantAppDetail; scopes: readonly [scope: string, meaning: string][]; reader: Reader };

const kinds = { merchant: "Merchant app", agent: "Agent" };

export const AppFacts = ({ app, scopes, reader }: Props) => (
  <Facts>
    <Fact name="Client ID">
      <CopyText label="client ID" text={app.id} />
    </Fact>
    <Fact name="Kind">{kinds[app.kind]}</Fact>
    <Fact name="Authentication">private_key_jwt{app.dpopBound ? ", with DPoP" : ""}</Fact>
    <Fact name="Scopes">
      {scopes.map(([scope, meaning]) => (
        <div key={scope}>
          <code>{scope}</code> {meaning}
        </div>
      ))}
    </Fact>
    {app.jwksUri ? <Fact name="Keys from">{app.jwksUri}</Fact> : null}
    <Fact name="Registered">
      {formatDateTime(new Date(app.createdAt), reader)}
      {app.isFromInitialToken ? ", with an initial access token" : ""}
    </Fact>
  </Facts>
);
