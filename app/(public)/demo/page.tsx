import type { Metadata } from "next";
import { DemoPage } from "./demo-page.tsx";

export const metadata: Metadata = { title: "Demo" };

export default DemoPage;
