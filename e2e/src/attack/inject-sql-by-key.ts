import { request } from '../clients/gateway-client.js';
import type { Attack } from './attack.js';
import { createRandom } from '../create-random.js';
import { forEachAtOnce } from './for-each-at-once.js';

const PIECES = ["'", '"', ';', '--', '/*', '\\', '%', '$1', ' or 1=1 ', 'sk-', 'é', '\t', 'x'.repeat(4_000)];
const AT_ONCE = 16;

/** Authorization values that a concatenated statement would stumble over. */
export const injectSqlByKey: Attack = {
  threats: ['T1'],
  title: 'no API key is anything but unknown, whatever it holds',
  async run({ deployment, full }) {
    const random = createRandom(1);
    const keys = Array.from({ length: full ? 5_000 : 100 }, () =>
      Array.from(
        { length: 1 + Math.floor(random() * 5) },
        () => PIECES[Math.floor(random() * PIECES.length)],
      ),
    ).map((pieces) => `sk-${pieces.join('')}`);
    const statuses = new Set<number>();
    await forEachAtOnce(keys, AT_ONCE, async (key) => {
      const { status } = await request(deployment, '/v1/models', {
        headers: { authorization: `Bearer ${encodeURI(key)}` },
      });
      statuses.add(status);
    });
    // Unknown keys of one address are slowed down after a while.
    for (const status of statuses) {
      if (status !== 401 && status !== 429) throw new Error(`a key was answered with ${status}`);
    }
    if (/syntax error at or near|unterminated quoted/.test(deployment.readOutput())) {
      throw new Error('a key reached the database as a statement');
    }
  },
};
