import type { Metadata } from "next";
import { formatTimeWithSeconds } from "#components/format/dates.ts";
import { AttentionPart } from "#components/operator/home/attention-part.tsx";
import { BudgetsLeftTable } from "#components/operator/home/budgets-left.tsx";
import type { FigureRange } from "#components/operator/home/figure-texts.ts";
import styles from "#components/operator/home/home.module.css";
import { KeepLive } from "#components/operator/home/keep-live.tsx";
import { PagePart, PartNotice } from "#components/operator/home/page-part.tsx";
import { QueueTable } from "#components/operator/home/queue-table.tsx";
import { FigureRangePicker, ServiceCharts } from "#components/operator/home/service-charts.tsx";
import { ServiceFiguresNow } from "#components/operator/home/service-figures.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Link } from "#components/ui/link.tsx";
import { loadPart, waitForParts } from "./load-part.ts";
import { operatorPage } from "./operator-context.ts";

export const metadata: Metadata = { title: { absolute: "Home · Operator · Paygrant" } };

const HomePage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const range: FigureRange = (await searchParams)["range"] === "day" ? "day" : "hour";
  const { api, config, reader, now, may } = await operatorPage("/operator");
  const attention = loadPart("attention", api.operator.attention());
  const requests = loadPart("requests", api.operatorHome.requests({ range }));
  const queues = loadPart("queues", api.operatorHome.queues());
  const charges = loadPart("charges", api.operatorHome.charges({ range }));
  const budgets = config.environment === "sandbox" ? null : loadPart("budgets", api.operatorHome.budgets());
  const shown = { range, reader };
  await waitForParts([attention, requests, queues, charges, budgets]);
  return (
    <>
      <PageHead title="Home" act={<KeepLive updated={formatTimeWithSeconds(now, reader)} />}>
        Figures for all {config.environment === "sandbox" ? "sandbox" : "production"} processes.
      </PageHead>
      <AttentionPart attention={attention} queues={queues} now={now} mayListMail={may("mail.list")} />
      <ServiceFiguresNow
        {...shown}
        requests={requests}
        queues={queues}
        charges={charges}
        budgets={budgets}
        statusUrl={config.statusUrl}
      />
      <FigureRangePicker current={range} />
      <ServiceCharts requests={requests} charges={charges} {...shown} />
      <div id="queues" className={styles.target}>
        <Section title="Queues" act={<Link href="/operator/jobs">All jobs</Link>}>
          <PagePart answer={queues} unloaded={(why) => <PartNotice name="Queues" why={why} />}>
            {(data) => <QueueTable queues={data.queues} reader={reader} />}
          </PagePart>
        </Section>
      </div>
      {budgets === null ? null : (
        <Section title="Error budgets" act={<Link href="/operator/budgets">All error budgets</Link>}>
          <PagePart answer={budgets} unloaded={(why) => <PartNotice name="Error budgets" why={why} />}>
            {(data) => <BudgetsLeftTable budgets={data ?? []} locale={reader.locale} />}
          </PagePart>
        </Section>
      )}
    </>
  );
};

export default HomePage;
