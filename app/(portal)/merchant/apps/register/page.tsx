import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { RegisterForm } from "#components/merchant/apps/register-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { scopeMeanings } from "#server/oauth/server-metadata.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Register an app" };

const RegisterPage = async () => {
  const { merchantId, may, email } = await merchantPage("/merchant/apps/register");
  if (!may("client.register")) notFound();
  return (
    <>
      <PageHead title="Register an app">
        An app is an OAuth client that calls the Paygrant API for you, for example your shop or back office.
      </PageHead>
      <RegisterForm merchantId={merchantId} scopes={scopeMeanings("merchant")} email={email} />
    </>
  );
};

export default RegisterPage;
