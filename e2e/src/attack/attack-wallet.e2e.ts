import { describe } from 'vitest';
import { WALLET_ATTACKS } from './attacks.js';
import { runAttacks } from './run-attacks.js';

describe('attacks on a wallet', () => {
  // Each has a wallet, models and a provider of its own, and waits for its bill again and again.
  runAttacks(WALLET_ATTACKS, { areApart: true });
});
