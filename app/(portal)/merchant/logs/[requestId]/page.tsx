import type { Metadata } from "next";
import { cache } from "react";
import { formatDateTime } from "#components/format/dates.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { LogBody } from "#components/merchant/logs/log-body.tsx";
import { LogStatus } from "#components/merchant/logs/log-status.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { CopyText } from "#components/ui/copy/copy-text.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Link } from "#components/ui/link.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

type Params = { params: Promise<{ requestId: string }> };

const loadLog = cache(async (requestId: string) => {
  const page = await merchantPage(`/merchant/logs/${encodeURIComponent(requestId)}`);
  return { ...page, log: await orNotFound(page.api.logs.log({ requestId })) };
});

export const generateMetadata = async ({ params }: Params): Promise<Metadata> => {
  const { log } = await loadLog((await params).requestId);
  return { title: pageTitle(`${log.method} ${log.path}, ${log.status}, ${log.requestId}`) };
};

const LogPage = async ({ params }: Params) => {
  const { log, reader } = await loadLog((await params).requestId);
  return (
    <>
      <PageHead title={`${log.method} ${log.path}`}>{formatDateTime(new Date(log.at), reader)}</PageHead>
      <Facts>
        <Fact name="Status">
          <LogStatus status={log.status} />
        </Fact>
        <Fact name="Duration">{log.milliseconds} ms</Fact>
        <Fact name="App">
          {log.isClientDeleted ? (
            `${log.clientName ?? log.clientId}, deleted`
          ) : (
            <Link href={`/merchant/apps/${log.clientId}`}>{log.clientName ?? log.clientId}</Link>
          )}
        </Fact>
        {log.query ? <Fact name="Query">{log.query}</Fact> : null}
        <Fact name="Request ID">
          <CopyText label="request ID" text={log.requestId} />
        </Fact>
      </Facts>
      <Section title="Request">
        <LogBody name="Request" body={log.requestBody} />
      </Section>
      <Section title="Response">
        <LogBody name="Response" body={log.responseBody} />
      </Section>
    </>
  );
};

export default LogPage;
