import { CodeBlock } from "../../ui/copy/code-block.tsx";
import guide from "../guide.module.css";
import styles from "./button-page.module.css";
import { PictureList } from "./picture-list.tsx";
import {
  buttonSnippet,
  callbackSnippet,
  policySnippet,
  resultSnippet,
  type ScriptAddress,
  scriptSnippet,
  startSnippet,
  statusSnippet,
} from "./snippets.ts";

type Props = { script: ScriptAddress };

const results = [
  ["approved", "The payer approved. The result has code, state and iss."],
  ["declined", "The payer declined."],
  ["closed", "The payer closed the popup."],
  ["timed_out", "The popup was open for longer than timeoutMs, by default 10 minutes."],
  [
    "blocked",
    "The browser blocked the popup, and fallback is none. By default, the script redirects the page instead.",
  ],
] as const;

const ScriptSection = ({ script }: Props) => (
  <section aria-labelledby="script">
    <h2 id="script">Add the script</h2>
    <p>
      The address contains a hash, so the file at this address never changes. The browser refuses the file if it doesn’t
      match the integrity value. <code>{script.cdnUrl}/manifest.json</code> lists the current address of every file.
      After an update of Paygrant, copy the new values.
    </p>
    <CodeBlock title="Script" code={scriptSnippet(script)} />
  </section>
);

const ButtonSection = ({ script }: Props) => (
  <section aria-labelledby="button">
    <h2 id="button">Add the button</h2>
    <p>
      Push the authorization request from your server first (<a href="/docs/api/par">POST /oauth/par</a>). Its{" "}
      <code>request_uri</code> is valid for 5 minutes. The button has the attributes <code>mode</code> (
      <code>popup</code> or <code>redirect</code>), <code>theme</code> (<code>light</code>, <code>dark</code> or{" "}
      <code>auto</code>), <code>fallback</code>, <code>issuer</code> and <code>callback-origin</code>. Text inside the
      element replaces its label.
    </p>
    <div className={styles.blocks}>
      <CodeBlock title="Button" code={buttonSnippet(script)} />
      <CodeBlock title="Result" code={resultSnippet} />
    </div>
  </section>
);

const CallbackSection = ({ script }: Props) => (
  <section aria-labelledby="callback">
    <h2 id="callback">Add the callback page</h2>
    <p>
      The callback page is your registered redirect URI. It loads the script and does nothing else. In a popup, the
      script hands the response to the page that opened the popup. By default, both pages must have the same origin. If
      their origins differ, name the opener’s origin in <code>data-opener-origin</code> of this script element, and the
      callback’s origin in <code>callback-origin</code> of the button. The callback page must not send{" "}
      <code>Cross-Origin-Opener-Policy</code>. In redirect mode, your server reads the query of the callback page.
    </p>
    <CodeBlock title="Callback page" code={callbackSnippet(script)} />
  </section>
);

const FunctionSection = ({ script }: Props) => (
  <section aria-labelledby="function">
    <h2 id="function">Without the button</h2>
    <p>
      Call <code>startConsent</code> in the handler of a click, because browsers open popups only then. The same
      function is an export of <code>paygrant.mjs</code>.
    </p>
    <div className={styles.blocks}>
      <CodeBlock title="Function" code={startSnippet(script)} />
      <dl className={guide.rows}>
        {results.map(([status, meaning]) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  </section>
);

const PolicySection = ({ script }: Props) => (
  <section aria-labelledby="policy">
    <h2 id="policy">Headers of your page</h2>
    <p>
      The script uses no inline styles and no eval. The <code>connect-src</code> is for the status badge only. If your
      page sends <code>Cross-Origin-Opener-Policy</code>, this header must allow popups.
    </p>
    <CodeBlock title="Headers" code={policySnippet(script)} />
  </section>
);

const StatusSection = ({ script }: Props) => (
  <section aria-labelledby="status">
    <h2 id="status">Status badge</h2>
    <p>
      Shows the current state of a component, with a link to the status page. Without a component, it shows the state of
      all components together.
    </p>
    <CodeBlock title="Status badge" code={statusSnippet(script)} />
  </section>
);

const PicturesSection = ({ script }: Props) => (
  <section aria-labelledby="pictures">
    <h2 id="pictures">Pictures</h2>
    <PictureList cdnUrl={script.cdnUrl} />
  </section>
);

/** How to integrate the script, with the addresses of this service. */
export const ButtonSections = ({ script }: Props) => (
  <>
    <ScriptSection script={script} />
    <ButtonSection script={script} />
    <CallbackSection script={script} />
    <FunctionSection script={script} />
    <PolicySection script={script} />
    <StatusSection script={script} />
    <PicturesSection script={script} />
  </>
);
