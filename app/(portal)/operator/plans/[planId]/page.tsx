import type { Metadata } from "next";
import { cache } from "react";
import { formatCount } from "#components/format/text.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { planStates } from "#components/operator/labels/plan-labels.ts";
import { CompareVersions } from "#components/operator/plans/compare-versions.tsx";
import { VersionTable } from "#components/operator/plans/version-table.tsx";
import { type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ planId: string }>; searchParams: Promise<SearchParams> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (id: string, from: string | undefined, to: string | undefined) => {
  const page = await operatorPage(`/operator/plans/${encodeURIComponent(id)}`, "catalogue_plan.read");
  const wanted = { planId: id.slice(0, 64), from: toVersion(from), to: toVersion(to) };
  return { ...page, plan: await orNotFound(page.api.operatorPlans.compare(wanted)) };
});

const toVersion = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;

const loadFrom = async ({ params, searchParams }: Props) => {
  const [{ planId }, query] = await Promise.all([params, searchParams]);
  return load(planId, searchText(query, "from"), searchText(query, "to"));
};

export const generateMetadata = async (props: Props): Promise<Metadata> => {
  const { plan } = await loadFrom(props);
  return { title: pageTitle(`Plan ${plan.name}`) };
};

const OperatorPlanPage = async (props: Props) => {
  const { reader, now, plan } = await loadFrom(props);
  const { tone, label } = planStates[plan.state];
  const query = await props.searchParams;
  return (
    <>
      <PageHead title={plan.name}>Plan {plan.id}</PageHead>
      <Facts>
        <Fact name="Status">
          <Pill tone={tone}>{label}</Pill>
        </Fact>
        <Fact name="In effect">{plan.inEffect === null ? "No version yet" : `Version ${plan.inEffect}`}</Fact>
        <Fact name="Subscriptions">{formatCount(plan.subscribers)}</Fact>
        <Fact name="Migration">
          {plan.migratesTo === null
            ? "None: subscriptions stay on their version"
            : `After version ${plan.migratesTo} takes effect, subscriptions on earlier versions move to it when their next period starts`}
        </Fact>
      </Facts>
      <Section title="Versions">
        <VersionTable plan={plan} now={now} reader={reader} />
      </Section>
      <Section
        title={plan.from === null ? `Version ${plan.to}` : `Version ${plan.from} compared with version ${plan.to}`}
      >
        <CompareVersions
          plan={plan}
          isChosen={query["from"] !== undefined || query["to"] !== undefined}
          reader={reader}
        />
      </Section>
      <div>
        <ButtonLink href="/operator/plans" size="small">
          All plans
        </ButtonLink>
      </div>
    </>
  );
};

export default OperatorPlanPage;
