import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { StatementForm } from "#components/merchant/statements/statement-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "New software statement" };

const NewStatementPage = async () => {
  const { merchantId, may, email } = await merchantPage("/merchant/apps/new-statement");
  if (!may("software_statement.issue")) notFound();
  return (
    <>
      <PageHead title="New software statement">
        The directory signs the values that you enter. The statement is shown once.
      </PageHead>
      <StatementForm merchantId={merchantId} email={email} listHref="/merchant/apps" />
    </>
  );
};

export default NewStatementPage;
