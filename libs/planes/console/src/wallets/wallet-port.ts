import { Inject } from '@nestjs/common';

const WALLET_PORT = Symbol('WalletPort');

/** Injects the door to the billing plane. */
export const InjectWalletPort = () => Inject(WALLET_PORT);

export { WALLET_PORT };
