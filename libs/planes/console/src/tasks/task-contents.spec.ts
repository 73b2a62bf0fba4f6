import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { deriveTaskKey } from '@mg/protocols';
import type { GatewayFiles } from '@mg/transport';
import { expect, it } from 'vitest';
import { TaskContents } from './task-contents.js';

const KEY = deriveTaskKey('k'.repeat(32));
const VIDEO = 'task_1';

function serve() {
  const bodies: PassThrough[] = [];
  const open = async () => {
    const body = new PassThrough();
    bodies.push(body);
    return { status: 200, headers: {}, body };
  };
  const contents = new TaskContents({ open } as unknown as GatewayFiles, KEY);
  const play = (url: string) =>
    contents.open(VIDEO, Object.fromEntries(new URL(url, 'http://console').searchParams), {});
  return { bodies, contents, play };
}

it('a user who reads slowly holds some videos, and none of the others', async () => {
  const { bodies, contents, play } = serve();
  const [one, other] = ['one', 'other'].map((user) => contents.link(VIDEO, user).url);
  if (!one || !other) throw new Error('There are no links.');
  for (let part = 1; part <= 8; part++) await play(one);
  await expect(play(one)).rejects.toMatchObject({ code: 'rate_limited' });
  await play(other);
  const [first] = bodies.splice(0, 1);
  if (!first) throw new Error('Nothing was played.');
  first.destroy();
  await once(first, 'close');
  await play(one);
});

it.each([
  ['names another user', (query: URLSearchParams) => query.set('user', 'other')],
  ['names none', (query: URLSearchParams) => query.delete('user')],
  ['is signed for none', (query: URLSearchParams) => query.delete('user_sig')],
])('a link that %s is none', async (_, change) => {
  const { bodies, contents, play } = serve();
  const url = new URL(contents.link(VIDEO, 'one').url, 'http://console');
  change(url.searchParams);
  await expect(play(url.href)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(bodies).toEqual([]);
});
