import type { Metadata } from "next";
import type { ReactNode } from "react";
import type { Reader } from "#components/format/reader.ts";
import { AppTable } from "#components/merchant/apps/app-table.tsx";
import { RevokeToken } from "#components/merchant/apps/revoke-token.tsx";
import { NewStatementLink, StatementSection } from "#components/merchant/statements/statement-section.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { TokenTable } from "#components/portal/tokens/token-table.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { InitialToken } from "#server/trpc/merchant/app-views.ts";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Apps & keys" };

const here = "/merchant/apps";

const AppsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const q = searchText(params, "q");
  const [app, token, statement] = ["app", "token", "statement"].map((name) => searchId(params, name));
  const { api, merchantId, reader, now, may } = await merchantPage(here);
  const [entry, apps, tokens, { statements, hasMore }] = await Promise.all([
    api.merchantDirectory.entry({ merchantId }),
    api.apps.list({ merchantId, search: q, startingAfter: app }),
    api.apps.tokens({ merchantId, startingAfter: token }),
    api.softwareStatements.list({ merchantId, startingAfter: statement }),
  ]);
  const register = may("client.register") ? <Register /> : null;
  const hasSearch = apps.apps.length > 0 || q !== undefined;
  return (
    <>
      <PageHead title="Apps & keys" act={hasSearch ? register : null}>
        Apps are OAuth clients that verify and charge mandates. Each app has its own keys.
      </PageHead>
      <Section title="Apps">
        {hasSearch ? <AppSearch q={q} /> : null}
        {apps.apps.length > 0 ? (
          <AppTable apps={apps.apps} now={now} reader={reader} />
        ) : (
          <ListEmpty
            isFiltered={q !== undefined}
            clear={here}
            noMatch="No app matches. Enter a part of its name, or the complete client ID."
            clearLabel="Clear the search"
            title="No apps yet"
            act={register}
          >
            Register an app here, or with an initial access token.
          </ListEmpty>
        )}
        <Pager
          newest={app === undefined ? null : listAddress(here, { q, token, statement })}
          older={apps.hasMore ? listAddress(here, { q, token, statement, app: apps.apps.at(-1)?.id }) : null}
        />
      </Section>
      <TokenSection
        tokens={tokens.tokens}
        now={now}
        reader={reader}
        act={may("initial_token.create") ? <NewToken /> : null}
        mayRevoke={may("initial_token.revoke")}
        newest={token === undefined ? null : listAddress(here, { q, app, statement })}
        older={tokens.hasMore ? listAddress(here, { q, app, statement, token: tokens.tokens.at(-1)?.id }) : null}
      />
      <StatementSection
        statements={statements}
        now={now}
        reader={reader}
        act={may("software_statement.issue") ? <NewStatementLink isVerified={entry?.status === "active"} /> : null}
        mayRevoke={may("software_statement.revoke")}
        newest={statement === undefined ? null : listAddress(here, { q, app, token })}
        older={hasMore ? listAddress(here, { q, app, token, statement: statements.at(-1)?.id }) : null}
      />
    </>
  );
};

type TokenSectionProps = {
  tokens: readonly InitialToken[];
  now: Date;
  reader: Reader;
  act: ReactNode;
  mayRevoke: boolean;
  newest: string | null;
  older: string | null;
};

const TokenSection = ({ tokens, now, reader, act, mayRevoke, newest, older }: TokenSectionProps) => (
  <Section title="Initial access tokens" act={tokens.length > 0 ? act : null}>
    {tokens.length > 0 ? (
      <TokenTable tokens={tokens} now={now} reader={reader} act={mayRevoke ? revokeToken : null} />
    ) : (
      <EmptyState title="No tokens yet" act={act}>
        An initial access token lets its holder register apps for you. You choose how many times the token can be used,
        and when it expires.
      </EmptyState>
    )}
    <Pager newest={newest} older={older} />
  </Section>
);

const NewToken = () => (
  <ButtonLink href={`${here}/new`} size="small">
    New token
  </ButtonLink>
);

const Register = () => (
  <ButtonLink href={`${here}/register`} variant="primary" size="small">
    Register app
  </ButtonLink>
);

const AppSearch = ({ q }: { q: string | undefined }) => (
  <FilterForm action={here} filters={{ q }} submit="Search">
    <SearchField label="Search apps" value={q} hint="A part of a name, or a complete client ID." />
  </FilterForm>
);

const revokeToken = ({ id, label }: { id: string; label: string | null }) => (
  <RevokeToken tokenId={id} name={label ?? id} />
);

export default AppsPage;
