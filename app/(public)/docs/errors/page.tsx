import type { Metadata } from "next";
import { problemGroups } from "#components/docs/api/problems.ts";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { Prose } from "#components/docs/prose.tsx";
import { docsSite } from "../docs-site.ts";
import styles from "./page.module.css";

export const metadata: Metadata = { title: "Errors" };

/** The `type` of every problem links to this page (RFC 9457 §3.1.1). Each code is an anchor. */
const ErrorsPage = async () => {
  const { config: _, ...site } = await docsSite();
  return (
    <DocsFrame
      site={site}
      current="/docs/errors"
      title="Errors"
      intro={
        <p>
          Errors are problem details (RFC 9457). Their <code>type</code> links to a code on this page,{" "}
          <code>detail</code> describes the error in this request, and <code>errors</code> lists the invalid fields.
        </p>
      }
    >
      <div>
        {problemGroups.map(({ title, text, meanings }) => (
          <section key={title} className={styles.group}>
            <div>
              <h2>{title}</h2>
              <p className="small muted">
                <Prose text={text} />
              </p>
            </div>
            <dl>
              {Object.entries(meanings).map(([code, meaning]) => (
                <div key={code} id={code} className={styles.entry}>
                  <dt>
                    <a href={`#${code}`}>{code}</a>
                  </dt>
                  <dd>
                    <Prose text={meaning} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </DocsFrame>
  );
};

export default ErrorsPage;
