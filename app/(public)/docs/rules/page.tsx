import type { Metadata } from "next";
import { RuleNav } from "#components/docs/rule-nav.tsx";
import { type PlaceView, RuleTable } from "#components/docs/rule-table.tsx";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import { ruleChapters } from "#server/http/rule-table.ts";
import type { RuleGroup } from "#server/kernel/rule.ts";
import { currentTheme, pageDeps } from "../../../page-context.ts";
import styles from "../page.module.css";

export const metadata: Metadata = { title: "Rules" };

const chapters = ruleChapters.map(({ title, groups }) => ({
  id: `chapter-${title.toLowerCase().replaceAll(" ", "-")}`,
  title,
  groups,
}));

const toPlace = (place: string): PlaceView =>
  place.startsWith("every ")
    ? { text: place.replace(/^every (?=private|access|registration)/, "every operation by "), href: null }
    : { text: place, href: `/docs#${place}` };

/** What is the same for all of a group is said once. */
const toView = ({ looksAt, rules }: RuleGroup<unknown>) => {
  const isSame = new Set(rules.map(({ places }) => places.join())).size === 1;
  return {
    title: looksAt,
    places: isSame ? (rules[0]?.places ?? []).map(toPlace) : [],
    rules: rules.map(({ name, source, error, names, problem, places }) => ({
      ...{ name, source, error, problem },
      named: names === undefined ? null : typeof names === "string" ? names : names.any,
      places: isSame ? null : places.map(toPlace),
    })),
  };
};

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
          what you are told, with the field where one is named.
        </p>
      </div>
      <div className={styles.columns}>
        <RuleNav chapters={chapters} />
        <div className={styles.groups}>
          {chapters.map(({ id, title, groups }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id}>{title}</h2>
              {groups.map((group) => (
                <RuleTable key={group.looksAt} {...toView(group)} />
              ))}
            </section>
          ))}
        </div>
      </div>
    </PageFrame>
  );
};

export default RulesPage;
