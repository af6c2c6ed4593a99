"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import { Field } from "../../ui/field/field.tsx";
import { EndpointSecret } from "./endpoint-secret.tsx";
import { EventChoice } from "./event-choice.tsx";

type EndpointFields = { url: string; eventTypes: readonly string[] };

type EndpointFormProps = {
  merchantId: string;
  /** null: a new endpoint */
  endpointId: string | null;
  current: EndpointFields;
  /** all event types */
  eventTypes: readonly string[];
  email: string;
  /** Receivers on the service's own machine may use http. */
  allowsLoopback: boolean;
};

/** Adds or changes an endpoint. The form keeps its content while the person confirms their identity. */
export const EndpointForm = ({
  merchantId,
  endpointId,
  current,
  eventTypes,
  email,
  allowsLoopback,
}: EndpointFormProps) => {
  const endpoint = useEndpointForm({ merchantId, endpointId, email });
  const { created, isBusy, problem, notice } = endpoint;
  if (created) return <EndpointSecret {...created} doneHref={`/merchant/webhooks/${created.endpointId}`} />;
  const fields = problem?.fields ?? {};
  return (
    <>
      <ActForm
        isBusy={isBusy}
        submitLabel={endpointId === null ? "Add endpoint" : "Save"}
        cancelHref={endpointId === null ? "/merchant/webhooks" : `/merchant/webhooks/${endpointId}`}
        onSubmit={endpoint.submit}
        noValidate
      >
        <Field
          label="URL"
          name="url"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/webhooks"
          required
          maxLength={2000}
          defaultValue={current.url}
          hint={`${allowsLoopback ? "Use https on port 443, or http on a loopback IP address such as http://127.0.0.1:8080." : "Use https on port 443."} We send signed events to this URL by POST.`}
          error={fields["/url"] ?? null}
        />
        <EventChoice eventTypes={eventTypes} chosen={current.eventTypes} error={fields["/eventTypes"] ?? null} />
        {fields["/url"] || fields["/eventTypes"] ? null : notice}
      </ActForm>
      {endpoint.stepUp}
    </>
  );
};

type Target = Pick<EndpointFormProps, "merchantId" | "endpointId" | "email">;

const useEndpointForm = ({ merchantId, endpointId, email }: Target) => {
  const router = useRouter();
  const stepUp = useStepUp(email, endpointId === null ? "Confirm and add" : "Confirm and save");
  const { isBusy, problem, notice, perform, showProblem } = useAct(stepUp.handleError);
  const [created, setCreated] = useState<{ endpointId: string; secret: string; publicKey: string } | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = submittedForm(event);
    const isSelective = form.get("which") === "some";
    const eventTypes = isSelective ? form.getAll("event").map(String) : [];
    if (isSelective && eventTypes.length === 0) {
      return showProblem({ message: "", fields: { "/eventTypes": "Choose at least one event." } });
    }
    const endpoint = { url: textField(form, "url"), eventTypes };
    return perform(async () => {
      if (endpointId === null) return setCreated(await trpc.webhooks.create.mutate({ merchantId, ...endpoint }));
      await trpc.webhooks.update.mutate({ endpointId, ...endpoint });
      router.push(`/merchant/webhooks/${endpointId}`);
      router.refresh();
    });
  };
  return { created, isBusy, problem, notice, submit, stepUp: stepUp.dialog };
};
