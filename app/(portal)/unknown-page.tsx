import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "Page not found" };

/** Unknown paths of a portal get its "not found" page, with its navigation. */
const UnknownPage = () => notFound();

export default UnknownPage;
