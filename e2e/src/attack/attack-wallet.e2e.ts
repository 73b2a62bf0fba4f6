import { describe } from 'vitest';
import { WALLET_ATTACKS } from './attacks.js';
import { runAttacks } from './run-attacks.js';

describe('attacks on a wallet', () => {
  runAttacks(WALLET_ATTACKS);
});
