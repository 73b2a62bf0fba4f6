import { type Endpoint, json, MODEL_IN_PATH, type Parameter, text } from './endpoint.js';
import type { SchemaName } from './schemas.js';

const SPAN: readonly Parameter[] = ['from', 'to'].map((name) => ({
  name,
  in: 'query',
  schema: text,
  description: 'A day such as 2027-01-31, a moment, or seconds since the epoch.',
}));

/** What a caller may know of models and of their own money, free of charge. */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  listModels('/v1/models', ['Models', 'AnthropicModels', 'GeminiModels']),
  showModel('/v1/models/{model}', ['Model', 'AnthropicModel', 'GeminiModel']),
  listModels('/v1beta/models', ['GeminiModels']),
  showModel('/v1beta/models/{model}', ['GeminiModel']),
  {
    ...free('/v1/usage', 'What this API key has used and may still spend; free'),
    parameters: [
      ...SPAN,
      { name: 'group_by', in: 'query', schema: { type: 'string', enum: ['day', 'model'], default: 'day' } },
    ],
    answers: { 200: json('Sums, with amounts in USD as decimal strings.', 'Usage') },
  },
  {
    ...free(
      '/v1/usage/{request_id}',
      "What one call of the key's wallet used and cost, streamed or not; free",
    ),
    parameters: [{ name: 'request_id', in: 'path', required: true, schema: text }],
    answers: { 200: json('The call.', 'CallUsage') },
    failures: ['not_found'],
  },
  ...['/v1/dashboard/billing', '/dashboard/billing'].flatMap(describeBilling),
];

/** Where clients of OpenAI's old billing API look, with and without the version. */
function describeBilling(prefix: string): Endpoint[] {
  return [
    {
      ...free(`${prefix}/subscription`, 'Limits of the API key, in USD'),
      answers: { 200: json('The limits.', 'BillingSubscription') },
    },
    {
      ...free(`${prefix}/usage`, 'What the API key has spent, in US cents'),
      parameters: ['start_date', 'end_date'].map((name) => ({ name, in: 'query', schema: text })),
      answers: { 200: json('Costs by day.', 'BillingUsage') },
    },
    {
      ...free(`${prefix}/credit_grants`, 'What is left, in USD'),
      answers: { 200: json('The sums.', 'CreditSummary') },
    },
  ];
}

function listModels(path: string, answers: readonly SchemaName[]): Endpoint {
  return {
    ...free(path, 'Models this API key may use'),
    description:
      "In OpenAI's shape; under /v1 in Google's for a key in x-goog-api-key or ?key=, in Anthropic's with anthropic-version.",
    answers: { 200: json('The models.', answers) },
  };
}

function showModel(path: string, answers: readonly SchemaName[]): Endpoint {
  return {
    ...free(path, 'One model'),
    parameters: [MODEL_IN_PATH],
    answers: { 200: json('The model.', answers) },
    failures: ['model_not_found'],
  };
}

function free(path: string, summary: string) {
  return { method: 'get', path, summary, cost: 'free' } as const;
}
