"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { type Problem, ProblemNotice, problemOf } from "../../portal/acts/problem.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { SecretOnce } from "./secret-once.tsx";
import styles from "./webhooks.module.css";

type Act = "switch" | "rotate" | "delete";
type Asked = "off" | "rotate" | "delete";

/** Switch, rotate, delete. What stops events or ends a secret asks first and says what will happen. */
export const EndpointActs = ({
  endpointId,
  url,
  isOn,
  email,
}: {
  endpointId: string;
  url: string;
  isOn: boolean;
  /** of who is signed in */
  email: string;
}) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and go on");
  const [busy, setBusy] = useState<Act | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [made, setMade] = useState<{ secret: string; publicKey: string } | null>(null);

  const perform = async (act: Act, work: () => Promise<unknown>) => {
    setBusy(act);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      if (!stepUp.asks(error, () => perform(act, work))) setProblem(problemOf(error));
    } finally {
      setBusy(null);
    }
  };
  const turn = (on: boolean) =>
    perform("switch", async () => {
      await trpc.webhooks.switch.mutate({ endpointId, isOn: on });
      setAsked(null);
      router.refresh();
    });
  const rotate = () =>
    perform("rotate", async () => {
      setMade(await trpc.webhooks.rotateSecret.mutate({ endpointId }));
      router.refresh();
    });
  const remove = () =>
    perform("delete", async () => {
      await trpc.webhooks.delete.mutate({ endpointId });
      router.push("/merchant/webhooks");
      router.refresh();
    });
  const ask = (what: Asked) => {
    setProblem(null);
    setMade(null);
    setAsked(what);
  };
  const question = (what: Asked) => ({
    isOpen: asked === what,
    onOpenChange: (open: boolean) => setAsked(open ? what : null),
  });
  const notice = problem ? <ProblemNotice problem={problem} /> : null;

  return (
    <div className={styles.acts}>
      <ButtonLink href={`/merchant/webhooks/${endpointId}/edit`} size="small">
        Change
      </ButtonLink>
      {isOn ? (
        <Button size="small" onClick={() => ask("off")}>
          Switch off
        </Button>
      ) : (
        <Button size="small" variant="primary" isBusy={busy === "switch"} onClick={() => turn(true)}>
          Switch on
        </Button>
      )}
      <Button size="small" onClick={() => ask("rotate")}>
        New secret
      </Button>
      <Button size="small" variant="danger" onClick={() => ask("delete")}>
        Delete
      </Button>
      {asked === null ? notice : null}
      <Dialog {...question("off")} title="Switch this endpoint off?">
        <Points>
          <li>Nothing more is sent to {url}; what waits to be tried again is stopped.</li>
          <li>
            Events go on being kept for 30 days. Once it is on again, what it missed can be sent again one by one.
          </li>
        </Points>
        {notice}
        <DialogActions>
          <Button onClick={() => setAsked(null)}>Keep it on</Button>
          <Button variant="dangerSolid" isBusy={busy === "switch"} onClick={() => turn(false)}>
            Switch it off
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog {...question("rotate")} title={made ? "The new secret" : "Make a new secret?"}>
        {made ? (
          <>
            <SecretOnce {...made} doneHref={null} />
            <Button variant="primary" onClick={() => setAsked(null)}>
              I have copied it
            </Button>
          </>
        ) : (
          <>
            <Points>
              <li>Deliveries are signed by both secrets for 24 hours: put the new one in place within that time.</li>
              <li>After that the present secret is worth nothing. This can’t be undone.</li>
            </Points>
            {notice}
            <DialogActions>
              <Button onClick={() => setAsked(null)}>Keep the present one</Button>
              <Button variant="primary" isBusy={busy === "rotate"} onClick={rotate}>
                Make a new one
              </Button>
            </DialogActions>
          </>
        )}
        {stepUp.dialog}
      </Dialog>
      <Dialog {...question("delete")} title="Delete this endpoint?">
        <Points>
          <li>Nothing more is sent to {url}, and its secrets are deleted.</li>
          <li>Its deliveries are no longer shown and can’t be sent again. This can’t be undone.</li>
        </Points>
        {notice}
        <DialogActions>
          <Button onClick={() => setAsked(null)}>Keep it</Button>
          <Button variant="dangerSolid" isBusy={busy === "delete"} onClick={remove}>
            Delete it
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  );
};

const Points = ({ children }: { children: ReactNode }) => <ul className={styles.list}>{children}</ul>;
