/** What the wallet ledger is injected by. */
export const WALLET_LEDGER = Symbol('WalletLedger');
