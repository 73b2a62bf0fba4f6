import { expect } from 'vitest';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import type { Attack } from './attack.js';
import { startCanary } from './canary.js';

const FIELDS = [
  'api_base',
  'base_url',
  'api_key',
  'custom_host',
  'host',
  'endpoint',
  'proxy',
  'url',
] as const;
const HEADERS = [
  'x-base-url',
  'x-portkey-custom-host',
  'x-forwarded-host',
  'x-upstream',
  'x-api-base',
  'x-original-url',
] as const;

export const chooseUpstream: Attack = {
  threats: ['T7'],
  title: 'no field and no header of a caller chooses the upstream or its key',
  async run({ deployment }) {
    const canary = await startCanary();
    try {
      const body = { model: 'plain', messages: HELLO };
      for (const field of FIELDS) {
        await postChat(deployment, { ...body, [field]: canary.url });
        await postChat(deployment, { ...body, extra_body: { [field]: canary.url } });
      }
      for (const header of HEADERS) await postChat(deployment, body, { [header]: canary.url });
      await postChat(deployment, { ...body, model: `plain#${canary.url}` });
      await postChat(deployment, { ...body, model: `../../${canary.url}` });
      expect(canary.connections).toBe(0);
      const keys = deployment.upstream.calls.map(({ headers }) => String(headers.authorization));
      expect(keys.filter((key) => key.includes(canary.url))).toEqual([]);
    } finally {
      await canary.close();
    }
  },
};
