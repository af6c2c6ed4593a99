import type { Metadata } from "next";
import { ApiNav } from "#components/docs/api-nav.tsx";
import { type ApiDocument, toGroups } from "#components/docs/api-reference.ts";
import { Operation } from "#components/docs/operation.tsx";
import { RateLimits } from "#components/docs/rate-limits.tsx";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import { openApiText } from "#server/http/openapi-endpoint.ts";
import { currentTheme, pageDeps } from "../../page-context.ts";
import styles from "./page.module.css";

export const metadata: Metadata = { title: "API" };

/** /openapi.json for people: made of the very document, so that it says nothing else. */
const ApiPage = async () => {
  const { config } = await pageDeps();
  const groups = toGroups(JSON.parse(openApiText(config)) as ApiDocument);
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
        <h1>API</h1>
        <p>
          Everything that answers at <code>{config.baseUrl}</code>. For programs the same is{" "}
          <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1); what a problem’s code means is under{" "}
          <a href="/docs/errors">errors</a>, and what requests are held to under <a href="/docs/rules">rules</a>.
        </p>
      </div>
      <div className={styles.columns}>
        <ApiNav groups={groups} />
        <div className={styles.groups}>
          {groups.map(({ title, operations }) => (
            <section key={title} aria-labelledby={`group-${title.replaceAll(" ", "-")}`}>
              <h2 id={`group-${title.replaceAll(" ", "-")}`}>{title}</h2>
              {operations.map((operation) => (
                <Operation key={operation.id} operation={operation} />
              ))}
            </section>
          ))}
          <RateLimits limits={config.rateLimits} />
        </div>
      </div>
    </PageFrame>
  );
};

export default ApiPage;
