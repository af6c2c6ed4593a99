export { default, metadata } from "../../unknown-page.tsx";
