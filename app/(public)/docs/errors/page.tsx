import type { Metadata } from "next";
import { problemGroups } from "#components/docs/problems.ts";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import { currentTheme, pageDeps } from "../../../page-context.ts";
import styles from "./page.module.css";

export const metadata: Metadata = { title: "Errors" };

/** Where the `type` of every problem leads (RFC 9457 §3.1.1); each code is an anchor. */
const ErrorsPage = async () => {
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
        <h1>Errors</h1>
        <p>
          What can’t be done is answered as a problem (RFC 9457). Its <code>type</code> leads to a code on this page,{" "}
          <code>detail</code> says what was wrong this time, and <code>errors</code> points to the fields.
        </p>
      </div>
      {problemGroups.map(({ title, text, meanings }) => (
        <section key={title} className={styles.group}>
          <div>
            <h2>{title}</h2>
            <p className="small muted">{text}</p>
          </div>
          <dl>
            {Object.entries(meanings).map(([code, meaning]) => (
              <div key={code} id={code} className={styles.entry}>
                <dt>
                  <a href={`#${code}`}>{code}</a>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </PageFrame>
  );
};

export default ErrorsPage;
