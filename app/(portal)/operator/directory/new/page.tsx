import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ListServerForm } from "#components/operator/directory/list-server-form.tsx";
import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { PageHead } from "#components/portal/page-head.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Add an authorization server" };

const here = "/operator/directory";

type Page = Awaited<ReturnType<typeof operatorPage>>;

/** The withdrawn entry that is listed again. */
const loadServer = async ({ api, config }: Page, participantId: string) => {
  const entry = await orNotFound(api.operatorDirectory.get({ participantId }));
  if (!entry.acts.listAgain) notFound();
  return {
    issuer: entry.issuer ?? "",
    displayName: entry.displayName,
    legalName: entry.legalName ?? "",
    environment: entry.environment ?? config.environment,
  };
};

const ListServerPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const page = await operatorPage(`${here}/new`, "directory_entry.list_server");
  const entryId = searchId(await searchParams, "entry");
  const empty = { issuer: "", displayName: "", legalName: "", environment: page.config.environment };
  const server = entryId === undefined ? empty : await loadServer(page, entryId);
  return (
    <>
      <PageHead title={entryId === undefined ? "Add an authorization server" : "List the server again"}>
        The entry becomes public and active immediately. Its names aren’t verified, so check them first.
      </PageHead>
      <ListServerForm
        server={server}
        isWithdrawn={entryId !== undefined}
        cancelHref={entryId === undefined ? here : `${here}/${entryId}`}
        email={page.email}
      />
    </>
  );
};

export default ListServerPage;
