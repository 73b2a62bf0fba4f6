import { type Endpoint, json, type Parameter, text } from './endpoint.js';

const CONTENT_ID: Parameter = { name: 'content_id', in: 'path', required: true, schema: text };

/** Prompts that providers keep, in Google's protocol. */
export const CACHED_CONTENT_ENDPOINTS: readonly Endpoint[] = ['v1', 'v1beta'].flatMap((version) =>
  describe(`/${version}/cachedContents`),
);

function describe(path: string): readonly Endpoint[] {
  return [
    {
      method: 'post',
      path,
      summary: 'Has a provider keep a prompt, for an hour at most',
      description: 'For channels of type gemini and models whose price has cache_write_1h_per_million.',
      cost: 'billed',
      request: { 'application/json': 'NewCachedContent' },
      answers: { 200: json('The cached content.', 'CachedContent') },
    },
    {
      method: 'get',
      path,
      summary: "The wallet's cached contents; free",
      cost: 'free',
      parameters: [
        { name: 'pageSize', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1_000 } },
        { name: 'pageToken', in: 'query', schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{0,64}$' } },
      ],
      answers: { 200: json('A page.', 'CachedContents') },
    },
    {
      method: 'get',
      path: `${path}/{content_id}`,
      summary: 'What is known of a cached content; free',
      cost: 'free',
      parameters: [CONTENT_ID],
      answers: { 200: json('The cached content.', 'CachedContent') },
      failures: ['not_found'],
    },
    {
      method: 'patch',
      path: `${path}/{content_id}`,
      summary: 'Ends a cached content sooner or later, within the hour that it was charged for; free',
      cost: 'free',
      parameters: [CONTENT_ID],
      request: { 'application/json': 'CachedContentChange' },
      answers: { 200: json('The cached content.', 'CachedContent') },
      failures: ['insufficient_balance', 'not_found'],
    },
    {
      method: 'delete',
      path: `${path}/{content_id}`,
      summary: 'Forgets a cached content; free',
      cost: 'free',
      parameters: [CONTENT_ID],
      answers: { 200: json('It is forgotten.', 'NoCachedContent') },
      failures: ['not_found'],
    },
  ];
}
