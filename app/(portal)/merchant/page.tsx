import { redirect } from "next/navigation";

const MerchantPage = () => redirect("/merchant/webhooks");

export default MerchantPage;
