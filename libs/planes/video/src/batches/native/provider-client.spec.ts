import { type Channel, DEFAULT_TIMEOUTS } from '@mg/contract';
import type { BatchSurface, OwnBatches } from '@mg/providers';
import { expect, it } from 'vitest';
import { ForeignAddress, ProviderClient } from './provider-client.js';

const HOME = 'https://provider.test';
const PLACE = { method: 'POST', path: '/files' } as const;

/** What was sent where, with what authorises it. */
const sent: { readonly href: string; readonly authorization: string | undefined }[] = [];

function openClient(): ProviderClient {
  const own: OwnBatches = {
    api: {} as BatchSurface,
    address: ({ path }) => new URL(path, HOME),
    enabledKeys: [],
    authorize: () => undefined,
  };
  const note = async ({
    url,
    headers,
  }: {
    url: Readonly<URL>;
    headers: Readonly<Record<string, string>>;
  }) => {
    sent.push({ href: url.href, authorization: headers.authorization });
    return { status: 200, headers: {}, json: {}, text: '{}', body: undefined as never };
  };
  const channel = { timeouts: DEFAULT_TIMEOUTS } as Channel;
  const key = { headers: { authorization: 'Bearer sk-channel' }, isEnabled: true };
  return new ProviderClient({ send: note, open: note }, channel, own, key);
}

it('sends requests where the provider says, within its own server', async () => {
  sent.length = 0;
  await openClient().upload({ ...PLACE, url: `${HOME}/elsewhere?upload_id=1` });
  await openClient().upload(PLACE);
  expect(sent).toEqual([
    { href: `${HOME}/elsewhere?upload_id=1`, authorization: 'Bearer sk-channel' },
    { href: `${HOME}/files`, authorization: 'Bearer sk-channel' },
  ]);
});

it.each([
  ['another server', 'https://elsewhere.test/files'],
  ['a name that begins alike', 'https://provider.test.elsewhere.test/files'],
  ['a server behind the name of a user', 'https://provider.test@elsewhere.test/files'],
  ['another port', 'https://provider.test:8443/files'],
  ['no TLS', 'http://provider.test/files'],
  ['no address', '/files'],
])('sends nothing, and no key, to %s', async (_where, url) => {
  sent.length = 0;
  const client = openClient();
  await expect(client.upload({ ...PLACE, url })).rejects.toThrow(ForeignAddress);
  await expect(client.openResults({ ...PLACE, url })).rejects.toThrow(ForeignAddress);
  expect(sent).toEqual([]);
});
