import type { Metadata } from "next";
import styles from "#components/directory/directory.module.css";
import { changeLabel } from "#components/directory/directory-labels.ts";
import { verifyLogProgram } from "#components/directory/verify-log.ts";
import { Time } from "#components/format/time.tsx";
import { Timeline, TimelineItem } from "#components/portal/timeline.tsx";
import { CodeBlock } from "#components/ui/copy/code-block.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import type { Deps } from "#server/deps/deps.ts";
import { listChanges } from "#server/directory/changes/list-changes.ts";
import { getCheckpoint, getVerifierKey } from "#server/directory/log/published-log.ts";
import { isDomainError } from "#server/kernel/errors.ts";
import { directoryPage, reader } from "../directory-context.ts";

export const metadata: Metadata = { title: "Transparency log" };

const changesShown = 10;

/** The latest checkpoint, its key and the latest changes; null before the first checkpoint is published. */
const findPublished = async (deps: Deps) => {
  try {
    const [checkpoint, key] = await Promise.all([getCheckpoint(deps), getVerifierKey(deps)]);
    const from = Math.max(0, checkpoint.size - changesShown);
    const { changes } = await listChanges(deps, { from, limit: changesShown });
    return { checkpoint, key, changes: changes.toReversed() };
  } catch (error) {
    if (isDomainError(error) && error.kind === "unavailable") return null;
    throw error;
  }
};

const commandsOf = (directory: string): string =>
  [
    "# The latest checkpoint, and the key that signs it",
    `curl -s ${directory}/log/checkpoint`,
    `curl -s ${directory}/log/key`,
    "# The first 100 changes, oldest first. For more, add ?cursor= with next_cursor",
    `curl -s ${directory}/v1/changes`,
  ].join("\n");

type Published = NonNullable<Awaited<ReturnType<typeof findPublished>>>;

const Checkpoint = ({ published: { checkpoint, key }, now }: { published: Published; now: Date }) => (
  <section aria-labelledby="checkpoint">
    <h2 id="checkpoint">Latest checkpoint</h2>
    <Facts>
      <Fact name="Tree size">
        <span className="num">{checkpoint.size.toLocaleString("en")}</span>
      </Fact>
      <Fact name="Root hash">
        <code>{checkpoint.rootHash.toString("base64")}</code>
      </Fact>
      <Fact name="Published">
        <Time at={checkpoint.publishedAt.toISOString()} now={now} reader={reader} />
      </Fact>
      <Fact name="Key">
        <code>{key}</code>
      </Fact>
    </Facts>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard */}
    <pre className={styles.note} tabIndex={0}>
      {checkpoint.note}
      {checkpoint.cosignatures}
    </pre>
  </section>
);

const HowToVerify = ({ directory }: { directory: string }) => (
  <section aria-labelledby="verify">
    <h2 id="verify">How to verify</h2>
    <p className="small muted">
      The log consists of static files (C2SP tlog-tiles) and signed checkpoints. Keep the key and the last checkpoint
      that you verified. Verify each later checkpoint with this key, and with a consistency proof from the last one.
      This program checks the signature of the checkpoint and the proof of the latest entry. It needs Node 20 and no
      packages: <code>node verify-log.mjs</code>
    </p>
    <CodeBlock title="verify-log.mjs" code={verifyLogProgram(directory)} />
    <CodeBlock title="Files of the log" code={commandsOf(directory)} />
  </section>
);

const LogPage = async () => {
  const { deps, config, base, now } = await directoryPage();
  const published = await findPublished(deps);
  return (
    <>
      <header className={styles.head}>
        <div>
          <p className="small">
            <a href={base}>Directory</a>
          </p>
          <h1>Transparency log</h1>
          <p className="muted">
            Each change of a participant is one entry in an append-only log. Anyone can check that an entry is in the
            log and that earlier entries never changed.
          </p>
        </div>
      </header>
      {published ? (
        <div className={styles.sections}>
          <Checkpoint published={published} now={now} />
          <section aria-labelledby="changes">
            <h2 id="changes">Latest changes</h2>
            <Timeline>
              {published.changes.map((change) => (
                <TimelineItem
                  key={change.logIndex}
                  at={change.changedAt.toISOString()}
                  now={now}
                  reader={reader}
                  notes={[`entry ${change.logIndex}`, `version ${change.version}`]}
                >
                  {changeLabel(change.change)}: <a href={`${base}/${change.participantId}`}>{change.displayName}</a>
                </TimelineItem>
              ))}
            </Timeline>
          </section>
        </div>
      ) : (
        <EmptyState title="Not published yet">
          The first checkpoint is published within seconds. Reload the page.
        </EmptyState>
      )}
      <div className={styles.sections}>
        <HowToVerify directory={config.discoveryUrl} />
      </div>
    </>
  );
};

export default LogPage;
