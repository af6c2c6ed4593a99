"use client";
import { AskDialog } from "../../portal/acts/ask-dialog.tsx";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textIn } from "../../portal/acts/use-act.tsx";
import { useQuestion } from "../../portal/acts/use-question.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";

type Props = { merchantId: string; name: string; category: string; email: string };

/** Gives a merchant another category; says first what is decided by it. */
export const CategorizeMerchant = ({ merchantId, name, category, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and change");
  const { ask, question, answer } = useQuestion(stepUp.asks);
  const { categorize } = trpc.operatorMerchants;
  return (
    <>
      <Button size="small" onClick={ask}>
        Change category
      </Button>
      <AskDialog
        {...question}
        stepUp={stepUp.dialog}
        title={`Change the category of ${name}?`}
        verb="Change it"
        leave="Leave it"
        field={
          <>
            <Field
              label="Category"
              name="category"
              defaultValue={category}
              required
              pattern="[0-9]{4}"
              maxLength={4}
              inputMode="numeric"
              hint="Four digits, as ISO 18245 lists them."
            />
            <ReasonField />
          </>
        }
        act={(form) =>
          answer(() =>
            categorize.mutate({ merchantId, category: textIn(form, "category"), reason: textIn(form, "reason") }),
          )
        }
      >
        Mandates that name a category of merchants are used at whoever has it: from the next request on, those of the
        old one refuse this merchant, and those of the new one take it.
      </AskDialog>
    </>
  );
};
