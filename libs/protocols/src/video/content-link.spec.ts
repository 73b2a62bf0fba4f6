import type { Task } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import {
  checkLink,
  deriveTaskKey,
  deriveWebhookSecret,
  linkTask,
  listWebhookSecrets,
  namePublicTask,
} from './content-link.js';

const KEY = deriveTaskKey('an encryption key of thirty-two characters');
const OTHER = deriveTaskKey('another encryption key of many characters');
const NOW = 1_700_000_000_000;
const BASE = 'https://gateway.example.com';

function finished(result: Task['result']): Task {
  return { publicId: 'task_1', state: 'succeeded', result } as Task;
}

function readQuery(url: string) {
  const { searchParams } = new URL(url);
  return { expires: searchParams.get('expires') ?? '', sig: searchParams.get('sig') ?? '' };
}

describe('links to results', () => {
  it("are the provider's own where they need no credential", () => {
    const task = finished({
      url: 'https://cdn/v.mp4',
      expiresAt: NOW + 5,
      lastFrameUrl: 'https://cdn/f.png',
    });
    expect(linkTask(task, BASE, KEY, NOW)).toEqual({
      video: 'https://cdn/v.mp4',
      lastFrame: 'https://cdn/f.png',
      expiresAt: NOW + 5,
    });
    expect(linkTask({ ...task, state: 'running' }, BASE, KEY, NOW)).toBeUndefined();
  });

  it.each([{ needsKey: true }, { stored: 'copy.mp4' }])('are ours with %j, for an hour', (facts) => {
    const links = linkTask(finished({ url: 'https://upstream/v', ...facts }), BASE, KEY, NOW);
    expect(links?.video).toMatch(
      /^https:\/\/gateway\.example\.com\/v1\/video\/generations\/task_1\/content\?/,
    );
    expect(links?.expiresAt).toBe(NOW + 3_600_000);
    const query = readQuery(links?.video ?? '');
    expect(checkLink('task_1', query, KEY, NOW)).toBe(true);
    expect(checkLink('task_1', query, KEY, NOW + 3_601_000)).toBe(false);
    expect(checkLink('task_2', query, KEY, NOW)).toBe(false);
    expect(checkLink('task_1', query, OTHER, NOW)).toBe(false);
    expect(checkLink('task_1', { ...query, expires: '1800000000' }, KEY, NOW)).toBe(false);
    expect(checkLink('task_1', { ...query, sig: '' }, KEY, NOW)).toBe(false);
  });
});

describe('a second key', () => {
  const rotated = deriveTaskKey(
    'another encryption key of many characters',
    'an encryption key of thirty-two characters',
  );

  it('opens links that it signed, and signs none', () => {
    const task = finished({ url: 'https://upstream/v', needsKey: true });
    const before = readQuery(linkTask(task, BASE, KEY, NOW)?.video ?? '');
    expect(checkLink('task_1', before, rotated, NOW)).toBe(true);
    expect(checkLink('task_2', before, rotated, NOW)).toBe(false);
    const after = readQuery(linkTask(task, BASE, rotated, NOW)?.video ?? '');
    expect(checkLink('task_1', after, OTHER, NOW)).toBe(true);
    expect(checkLink('task_1', after, KEY, NOW)).toBe(false);
  });

  it('signs webhooks too, whose receivers may know either secret', () => {
    expect(listWebhookSecrets('t1', KEY)).toEqual([deriveWebhookSecret('t1', KEY)]);
    expect(listWebhookSecrets('t1', rotated)).toEqual([
      deriveWebhookSecret('t1', OTHER),
      deriveWebhookSecret('t1', KEY),
    ]);
  });
});

describe('names', () => {
  it('are the same for a task each time, and differ from key to key', () => {
    expect(namePublicTask('id', 'generic', KEY)).toMatch(/^task_[0-9a-f]{32}$/);
    expect(namePublicTask('id', 'native', KEY)).toMatch(/^cgt-[0-9a-f]{32}$/);
    expect(namePublicTask('id', 'generic', KEY)).toBe(namePublicTask('id', 'generic', KEY));
    expect(namePublicTask('id', 'generic', KEY)).not.toBe(namePublicTask('id', 'generic', OTHER));
    expect(deriveWebhookSecret('t1', KEY)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(deriveWebhookSecret('t1', KEY)).not.toBe(deriveWebhookSecret('t2', KEY));
  });
});
