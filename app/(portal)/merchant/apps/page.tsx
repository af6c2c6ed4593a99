import type { Metadata } from "next";
import { AppTable } from "#components/merchant/apps/app-table.tsx";
import { RevokeToken } from "#components/merchant/apps/revoke-token.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { TokenTable } from "#components/portal/tokens/token-table.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Apps & keys" };

const here = "/merchant/apps";

const AppsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const [app, token] = [searchId(params, "app"), searchId(params, "token")];
  const { api, merchantId, reader, now, may } = await merchantPage(here);
  const [apps, tokens] = await Promise.all([
    api.apps.list({ merchantId, startingAfter: app }),
    api.apps.tokens({ merchantId, startingAfter: token }),
  ]);
  const newToken = may("initial_token.create") ? (
    <ButtonLink href={`${here}/new`} size="small">
      New token
    </ButtonLink>
  ) : null;
  const register = may("client.register") ? (
    <ButtonLink href={`${here}/register`} variant="primary" size="small">
      Register app
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHead title="Apps & keys" act={apps.apps.length > 0 ? register : null}>
        Your OAuth clients, which verify and charge mandates. Each client has its own keys.
      </PageHead>
      <Section title="Apps">
        {apps.apps.length > 0 ? (
          <AppTable apps={apps.apps} now={now} reader={reader} />
        ) : (
          <EmptyState title="No apps yet" act={register}>
            Register an app here, or with an initial access token.
          </EmptyState>
        )}
        <Pager
          newest={app === undefined ? null : listAddress(here, { token })}
          older={apps.hasMore ? listAddress(here, { token, app: apps.apps.at(-1)?.id }) : null}
        />
      </Section>
      <Section title="Initial access tokens" act={tokens.tokens.length > 0 ? newToken : null}>
        {tokens.tokens.length > 0 ? (
          <TokenTable
            tokens={tokens.tokens}
            now={now}
            reader={reader}
            act={
              may("initial_token.revoke") ? ({ id, label }) => <RevokeToken tokenId={id} name={label ?? id} /> : null
            }
          />
        ) : (
          <EmptyState title="No tokens yet" act={newToken}>
            An initial access token lets its holder register apps for you. You choose how many times the token can be
            used, and when it expires.
          </EmptyState>
        )}
        <Pager
          newest={token === undefined ? null : listAddress(here, { app })}
          older={tokens.hasMore ? listAddress(here, { app, token: tokens.tokens.at(-1)?.id }) : null}
        />
      </Section>
    </>
  );
};

export default AppsPage;
