import type { Metadata } from "next";
import { AppTable } from "#components/merchant/apps/app-table.tsx";
import { RevokeToken } from "#components/merchant/apps/revoke-token.tsx";
import { addressOf, idOf, type Params } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { TokenTable } from "#components/portal/tokens/token-table.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Apps & keys" };

const here = "/merchant/apps";

const AppsPage = async ({ searchParams }: { searchParams: Promise<Params> }) => {
  const params = await searchParams;
  const [app, token] = [idOf(params, "app"), idOf(params, "token")];
  const { api, merchantId, reader, now, may } = await merchantPage(here);
  const [apps, tokens] = await Promise.all([
    api.apps.list({ merchantId, startingAfter: app }),
    api.apps.tokens({ merchantId, startingAfter: token }),
  ]);
  const make = may("initial_token.create") ? (
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
        Your OAuth clients: what verifies mandates and charges for you. Each signs with keys of its own.
      </PageHead>
      <Section title="Apps">
        {apps.apps.length > 0 ? (
          <AppTable apps={apps.apps} now={now} reader={reader} />
        ) : (
          <EmptyState title="No app yet" act={register}>
            Register one here, or let it register itself with an initial access token.
          </EmptyState>
        )}
        <Pager
          newest={app === undefined ? null : addressOf(here, { token })}
          older={apps.hasMore ? addressOf(here, { token, app: apps.apps.at(-1)?.id }) : null}
        />
      </Section>
      <Section title="Initial access tokens" act={tokens.tokens.length > 0 ? make : null}>
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
          <EmptyState title="No token yet" act={make}>
            An initial access token lets its holder register apps of yours, as often and until when you say.
          </EmptyState>
        )}
        <Pager
          newest={token === undefined ? null : addressOf(here, { app })}
          older={tokens.hasMore ? addressOf(here, { app, token: tokens.tokens.at(-1)?.id }) : null}
        />
      </Section>
    </>
  );
};

export default AppsPage;
