import { describe, expect, it } from 'vitest';
import { PROCESS_ATTACKS } from './attacks.js';
import { chooseAttacks, SIZE } from './choose-attacks.js';

describe('attacks on processes', () => {
  const { attacks, timeoutMs } = chooseAttacks(PROCESS_ATTACKS);
  it.concurrent.each(attacks)(
    '%s',
    async (_title, attack) => expect(await attack.run(SIZE)).toBeUndefined(),
    timeoutMs,
  );
});
