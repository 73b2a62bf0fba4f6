import { type Endpoint, json } from './endpoint.js';

/** What those who run the gateway ask. None of it wants an API key. */
export const SERVICE_ENDPOINTS: readonly Endpoint[] = [
  { ...open('/healthz', 'Whether the process is alive.'), answers: { 200: json('OK', 'Health') } },
  ...['/', '/api/hello'].map((path) => ({
    ...open(path, 'Whether there is a gateway: what clients ask before their first call.'),
    answers: { 200: json('OK', 'Health') },
    failures: ['rate_limited'] as const,
  })),
  {
    ...open('/readyz', 'Whether calls can be served.'),
    answers: {
      200: json('OK', 'Health'),
      503: json('Not while starting, draining or cut off from what is needed.', 'Health'),
    },
  },
  {
    ...open('/metrics', 'Metrics in the Prometheus text format, when METRICS_ENABLED is on.'),
    answers: { 200: { description: 'OK', content: { 'text/plain': undefined } } },
    failures: ['unauthenticated', 'not_found'],
  },
];

function open(path: string, summary: string) {
  return { method: 'get', path, summary, cost: 'open', security: [] } as const;
}
