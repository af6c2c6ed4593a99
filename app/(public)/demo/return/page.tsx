import type { Metadata } from "next";
import { DemoPage } from "../demo-page.tsx";

export const metadata: Metadata = { title: "Demo", robots: { index: false } };

// The consent page returns here. The demo reads the response from the address.
export default DemoPage;
