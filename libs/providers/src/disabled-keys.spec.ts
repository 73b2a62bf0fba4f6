import { type Channel, DEFAULT_TIMEOUTS, sha256 } from '@mg/contract';
import { expect, it } from 'vitest';
import { describeJobCall, findJobEndpoint, findOwnBatches } from './index.js';

const CHANNEL: Channel = {
  id: 'c',
  name: 'c',
  type: 'openai',
  baseUrl: 'https://api.example.com/v1',
  apiKeys: ['sk-enabled'],
  disabledKeys: ['sk-disabled'],
  models: new Map([['sora-2', 'sora-2']]),
  settings: {},
  priority: 0,
  weight: 1,
  timeouts: DEFAULT_TIMEOUTS,
};

it('what was begun with a key goes on with it once it is disabled', () => {
  const endpoint = findJobEndpoint(CHANNEL, 'sora-2', 'generic');
  const keyOf = (keyHash: string | undefined) =>
    endpoint &&
    describeJobCall({
      channel: CHANNEL,
      endpoint,
      upstreamModel: 'sora-2',
      keyHash,
      taskId: 't',
      nowMs: 0,
      obtainToken: () => Promise.reject(new Error('no token is wanted')),
    }).apiKey;
  expect(keyOf(sha256('sk-disabled'))).toBe('sk-disabled');
  expect(keyOf(sha256('sk-gone'))).toBe('sk-enabled');
  const batches = findOwnBatches(CHANNEL);
  expect(JSON.stringify(batches?.authorize(sha256('sk-disabled')))).toContain('sk-disabled');
  expect(batches?.authorize(sha256('sk-gone'))).toBeUndefined();
  expect(batches?.enabledKeys).toEqual([sha256('sk-enabled')]);
});
