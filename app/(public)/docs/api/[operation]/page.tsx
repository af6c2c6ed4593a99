import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { OperationView } from "#components/docs/api/api-reference.ts";
import { Operation } from "#components/docs/api/operation.tsx";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { authorizationDetailsTypesEndpoint } from "#server/endpoints/oauth/authorization-details-types.ts";
import { docsSite } from "../../docs-site.ts";
import { DetailsTypeList } from "./details-type-list.tsx";

type Props = { params: Promise<{ operation: string }> };

const findOperation = async ({ params }: Props): Promise<OperationView | undefined> => {
  const { operation: id } = await params;
  const { groups } = await docsSite();
  return groups.flatMap(({ operations }) => operations).find((operation) => operation.id === id);
};

export const generateMetadata = async (props: Props): Promise<Metadata> => ({
  title: (await findOperation(props))?.summary.replaceAll("`", "") ?? "Page not found",
});

const OperationPage = async (props: Props) => {
  const operation = await findOperation(props);
  if (!operation) notFound();
  const { config: _, ...site } = await docsSite();
  return (
    <DocsFrame site={site} current={operation.href} title={operation.summary}>
      <Operation operation={operation} />
      {operation.id === authorizationDetailsTypesEndpoint.operationId ? <DetailsTypeList /> : null}
    </DocsFrame>
  );
};

export default OperationPage;
