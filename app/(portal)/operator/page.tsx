import type { Metadata } from "next";
import Link from "next/link";
import { formatTimeWithSeconds } from "#components/format/dates.ts";
import { BudgetsLeftTable } from "#components/operator/home/budgets-left.tsx";
import styles from "#components/operator/home/home.module.css";
import { KeepLive } from "#components/operator/home/keep-live.tsx";
import { operatorAttention } from "#components/operator/home/operator-attention.ts";
import { QueueTable } from "#components/operator/home/queue-table.tsx";
import { FigureRangePicker, ServiceCharts } from "#components/operator/home/service-charts.tsx";
import { ServiceFiguresNow } from "#components/operator/home/service-figures.tsx";
import { Attention } from "#components/portal/attention.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { operatorPage } from "./operator-context.ts";

export const metadata: Metadata = { title: { absolute: "Home · Operator · Paygrant" } };

const HomePage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const range = (await searchParams)["range"] === "day" ? "day" : "hour";
  const { api, config, reader, now } = await operatorPage("/operator");
  const [attention, { budgets, ...figures }] = await Promise.all([
    api.operator.attention(),
    api.operatorHome.figures({ range }),
  ]);
  const items = operatorAttention({ ...attention, workerSeenAt: figures.workerSeenAt, now });
  return (
    <>
      <PageHead title="Home" act={<KeepLive updated={formatTimeWithSeconds(now, reader)} />}>
        {config.environment === "sandbox" ? "The sandbox" : "Production"} as a whole, over all processes.
      </PageHead>
      {items.length > 0 ? (
        <Attention items={items} />
      ) : (
        <Notice tone="good">
          Nothing needs attention. No charges need review, no e-mails failed, and the last run of every job succeeded.
        </Notice>
      )}
      <ServiceFiguresNow figures={figures} budgets={budgets} statusUrl={config.statusUrl} reader={reader} />
      <FigureRangePicker current={range} />
      <ServiceCharts figures={figures} reader={reader} />
      <div id="queues" className={styles.target}>
        <Section title="Queues" act={<Link href="/operator/jobs">All jobs</Link>}>
          <QueueTable queues={figures.queues} reader={reader} />
        </Section>
      </div>
      {budgets ? (
        <Section title="Error budgets" act={<Link href="/operator/budgets">All error budgets</Link>}>
          <BudgetsLeftTable budgets={budgets} locale={reader.locale} />
        </Section>
      ) : null}
    </>
  );
};

export default HomePage;
