import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { pageTitle } from "#components/layout/page-title.ts";
import { EditForm } from "#components/merchant/apps/edit-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { scopeMeanings } from "#server/oauth/server-metadata.ts";
import { type AppParams, loadApp } from "../load-app.ts";

export const generateMetadata = async ({ params }: AppParams): Promise<Metadata> => {
  const { app } = await loadApp((await params).clientId);
  return { title: pageTitle(`Edit app ${app.name}`) };
};

const EditAppPage = async ({ params }: AppParams) => {
  const { app, email, may } = await loadApp((await params).clientId);
  if (!may("client.update")) notFound();
  return (
    <>
      <PageHead title={`Edit ${app.name}`}>
        If you remove a scope, the app’s current access tokens become invalid. The app can request a new token
        immediately.
      </PageHead>
      <EditForm app={app} scopes={scopeMeanings("merchant")} email={email} />
    </>
  );
};

export default EditAppPage;
