import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import type { Attack } from './attack.js';

const TYPES = [
  'text/plain',
  'application/json\tx',
  'application/json x',
  'application/jsonp',
  'application/x-json',
  'application/ld+json',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  ',application/json',
  'application/json,text/plain',
  '*/*',
  'x',
];
/** What says JSON in another way may be taken as JSON, and then is checked as JSON. */
const ALLOWED_STATUSES = new Set([400, 415]);

export const varyContentType: Attack = {
  threats: ['T13'],
  title: 'a body that is not announced as JSON reaches no endpoint that wants JSON',
  async run({ deployment }) {
    const before = deployment.upstream.calls.length;
    for (const type of TYPES) {
      const { status } = await postChat(
        deployment,
        { model: 'plain', messages: HELLO },
        { 'content-type': type },
      );
      if (!ALLOWED_STATUSES.has(status))
        throw new Error(`${JSON.stringify(type)} was answered with ${status}`);
    }
    if (deployment.upstream.calls.length > before) throw new Error('the upstream was asked');
  },
};
