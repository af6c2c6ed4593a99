export { WalletSkeleton as default } from "#components/wallet/wallet-skeleton.tsx";
