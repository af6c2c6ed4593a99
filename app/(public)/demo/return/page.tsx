import type { Metadata } from "next";
import { DemoPage } from "../demo-page.tsx";

export const metadata: Metadata = { title: "Demo, after the consent page", robots: { index: false } };

// The consent page returns here. The demo reads the response from the URL.
export default DemoPage;
