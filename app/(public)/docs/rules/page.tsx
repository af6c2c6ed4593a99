import type { Metadata } from "next";
import { RuleTable } from "#components/docs/rule-table.tsx";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import { ruleGroups } from "#server/oauth/rules/index.ts";
import { currentTheme, pageDeps } from "../../../page-context.ts";
import styles from "../page.module.css";

export const metadata: Metadata = { title: "Rules" };

/** The very table that requests are checked by. */
const RulesPage = async () => {
  const { config } = await pageDeps();
  const demo = config.environment === "sandbox" ? "/demo" : `${config.sandboxUrl}/demo`;
  return (
    <PageFrame
      width="wide"
      environment={config.environment}
      theme={await currentTheme()}
      statusUrl={config.statusUrl}
      aside={<SiteLinks demoUrl={demo} />}
    >
      <div className={styles.head}>
        <h1>Rules</h1>
        <p>
          What the authorization server holds requests to, each rule with its source and the{" "}
          <a href="/docs">operations</a> where it holds. They are checked in this order; the first that is broken is
          what you are told. Client metadata and a mandate’s fields have rules of their own, which name the field.
        </p>
      </div>
      {ruleGroups.map(({ looksAt, rules }) => (
        <RuleTable
          key={looksAt}
          title={looksAt}
          rules={rules.map(({ name, source, error, problem, places }) => ({
            ...{ name, source, error, problem },
            places: places.map((place) => place.replace(/^every (?=private|access)/, "every operation by ")),
          }))}
        />
      ))}
    </PageFrame>
  );
};

export default RulesPage;
