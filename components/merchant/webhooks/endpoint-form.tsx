"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { type Problem, ProblemNotice, problemOf } from "../../portal/acts/problem.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EventChoice } from "./event-choice.tsx";
import { SecretOnce } from "./secret-once.tsx";
import styles from "./webhooks.module.css";

type EndpointWish = { url: string; eventTypes: readonly string[] };

/** Registers an endpoint, or changes one. What was typed survives a proof that is asked for on the way. */
export const EndpointForm = ({
  merchantId,
  endpointId,
  present,
  eventTypes,
  email,
}: {
  merchantId: string;
  /** null: a new one */
  endpointId: string | null;
  present: EndpointWish;
  /** the kinds that there are */
  eventTypes: readonly string[];
  /** of who is signed in */
  email: string;
}) => {
  const router = useRouter();
  const stepUp = useStepUp(email, endpointId === null ? "Confirm and add" : "Confirm and save");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [made, setMade] = useState<{ endpointId: string; secret: string; publicKey: string } | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    const url = String(form.get("url") ?? "").trim();
    const chosen = form.get("which") === "some" ? form.getAll("event").map(String) : [];
    if (form.get("which") === "some" && chosen.length === 0) {
      return setProblem({ message: "", fields: { "/eventTypes": "Choose at least one kind of event." } });
    }
    await keep({ url, eventTypes: chosen });
  };
  const keep = async ({ url, eventTypes: chosen }: EndpointWish): Promise<void> => {
    setIsBusy(true);
    setProblem(null);
    try {
      if (endpointId === null) {
        setMade(await trpc.webhooks.create.mutate({ merchantId, url, eventTypes: [...chosen] }));
      } else {
        await trpc.webhooks.update.mutate({ endpointId, url, eventTypes: [...chosen] });
        router.push(`/merchant/webhooks/${endpointId}`);
        router.refresh();
      }
    } catch (error) {
      if (!stepUp.asks(error, () => keep({ url, eventTypes: chosen }))) setProblem(problemOf(error));
      setIsBusy(false);
    }
  };

  if (made) return <SecretOnce {...made} doneHref={`/merchant/webhooks/${made.endpointId}`} />;
  const isBesideField = ["/url", "/eventTypes"].some((pointer) => problem?.fields[pointer]);
  return (
    <>
      <form className={`card ${styles.form} ${styles.box}`} onSubmit={submit} noValidate>
        <Field
          label="Address"
          name="url"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/webhooks"
          required
          maxLength={2000}
          defaultValue={present.url}
          hint="https on port 443. Events are sent there by POST, signed."
          error={problem?.fields["/url"] ?? null}
        />
        <EventChoice
          eventTypes={eventTypes}
          chosen={present.eventTypes}
          error={problem?.fields["/eventTypes"] ?? null}
        />
        {problem && !isBesideField ? <ProblemNotice problem={problem} /> : null}
        <div className={styles.acts}>
          <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
            {endpointId === null ? "Add endpoint" : "Save"}
          </SubmitButton>
          <ButtonLink
            href={endpointId === null ? "/merchant/webhooks" : `/merchant/webhooks/${endpointId}`}
            variant="quiet"
          >
            Cancel
          </ButtonLink>
        </div>
      </form>
      {stepUp.dialog}
    </>
  );
};
