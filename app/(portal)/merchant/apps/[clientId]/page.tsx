import type { Metadata } from "next";
import { pageTitle } from "#components/layout/page-title.ts";
import { AppActs } from "#components/merchant/apps/app-acts.tsx";
import { AppFacts } from "#components/merchant/apps/app-facts.tsx";
import { AppKeys } from "#components/merchant/apps/app-keys.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { scopeMeanings } from "#server/oauth/server-metadata.ts";
import { type AppParams, loadApp } from "./load-app.ts";

export const generateMetadata = async ({ params }: AppParams): Promise<Metadata> => {
  const { app } = await loadApp((await params).clientId);
  return { title: pageTitle(`App ${app.name}`) };
};

const AppPage = async ({ params }: AppParams) => {
  const { app, reader, email, now, may } = await loadApp((await params).clientId);
  const meanings = new Map(scopeMeanings("merchant"));
  const scopes = app.scopes.map((scope): [string, string] => [scope, meanings.get(scope) ?? ""]);
  return (
    <>
      <PageHead
        title={app.name}
        act={may("client.update") ? <AppActs clientId={app.id} name={app.name} email={email} /> : null}
      >
        {app.kind === "merchant"
          ? "An OAuth client of your organization. Its scopes define what it can do."
          : "An OAuth client that asks payers for mandates."}
      </PageHead>
      <AppFacts app={app} scopes={scopes} reader={reader} />
      <Section
        title="Keys"
        act={
          may("client.add_key") ? (
            <ButtonLink href={`/merchant/apps/${app.id}/keys`} size="small">
              Add a key
            </ButtonLink>
          ) : null
        }
      >
        <AppKeys app={app} now={now} reader={reader} email={email} mayRemove={may("client.remove_key")} />
      </Section>
      <p className="small">
        <Link href={`/merchant/getting-started?app=${app.id}`}>Getting started with this app</Link> ·{" "}
        <Link href={`/merchant/logs?app=${app.id}`}>Requests of this app</Link>
      </p>
    </>
  );
};

export default AppPage;
