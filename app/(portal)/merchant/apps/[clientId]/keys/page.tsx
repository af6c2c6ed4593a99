import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { pageTitle } from "#components/layout/page-title.ts";
import { AddKeyForm } from "#components/merchant/apps/add-key-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { type AppParams, loadApp } from "../load-app.ts";

export const generateMetadata = async ({ params }: AppParams): Promise<Metadata> => {
  const { app } = await loadApp((await params).clientId);
  return { title: pageTitle(`Add a key to app ${app.name}`) };
};

const AddKeyPage = async ({ params }: AppParams) => {
  const { app, email, may } = await loadApp((await params).clientId);
  if (!may("client.add_key")) notFound();
  return (
    <>
      <PageHead title={`Add a key to ${app.name}`}>
        {app.jwksUri === null
          ? "To rotate keys without interruption: add a new key here, deploy it with your app, then remove the old key. The old key stays valid until you remove it, unless you choose below to invalidate it immediately."
          : "Paygrant loads the app’s keys from a URL. A key that you add here replaces the URL."}
      </PageHead>
      <AddKeyForm clientId={app.id} jwksUri={app.jwksUri} email={email} />
    </>
  );
};

export default AddKeyPage;
