import { type Endpoint, text } from './endpoint.js';

const FALLBACK: NonNullable<Endpoint['parameters']>[number] = {
  name: 'x-gateway-fallback',
  in: 'header',
  schema: { ...text, maxLength: 1024 },
  description: 'Models to go to when the one that is asked for begins no session, as `a,b`.',
};

/** Sessions over a WebSocket. OpenAPI describes their handshake; docs/realtime.md has the messages. */
export const REALTIME_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/v1/realtime',
    summary: 'A session of the Realtime API, by WebSocket',
    description:
      "Send `Upgrade: websocket`. Each response of the session is charged by itself. The messages are those of OpenAI's Realtime API; an error after the handshake is an `error` event.",
    // The headers that other calls take that cost money mean nothing here.
    cost: 'free',
    parameters: [
      { name: 'model', in: 'query', schema: text, description: 'One of this and `intent`.' },
      {
        name: 'intent',
        in: 'query',
        schema: { ...text, enum: ['transcription'] },
        description: 'A session that only transcribes: its first event, `session.update`, names the model.',
      },
      {
        name: 'Sec-WebSocket-Protocol',
        in: 'header',
        schema: text,
        description: '`realtime, openai-insecure-api-key.sk-...` carries the key of a browser.',
      },
      FALLBACK,
    ],
    answers: { 101: { description: 'The session is open.' } },
    failures: [
      'insufficient_balance',
      'model_not_allowed',
      'model_not_found',
      'model_not_priced',
      'quota_exceeded',
      'budget_exceeded',
      'upstream_error',
      'upstream_unavailable',
      'loop_detected',
    ],
  },
  ...['v1', 'v1beta', 'v1alpha'].map((version): Endpoint => ({
    method: 'get',
    path: `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`,
    summary: "A session of Google's Live API, by WebSocket",
    description:
      "Send `Upgrade: websocket`, with the key as `?key=` or `x-goog-api-key`. Each turn of the session is charged by itself. The messages are those of Google's Live API, whose first names the model; an error after the handshake closes the session with its code and message as the reason.",
    cost: 'free',
    parameters: [{ name: 'key', in: 'query', schema: text }, FALLBACK],
    answers: { 101: { description: 'The connection is open: the setup is read.' } },
    failures: ['loop_detected'],
  })),
];
