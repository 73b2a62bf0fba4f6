import { type Exchange, readModeration, readOpenAiEmbeddings, readRerank, readSpeech } from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerExchange } from '../exchange/exchange.js';
import type { Kit } from '../kit.js';
import { fingerprintForm, type FormBody, type FormLimits, readForm } from './read-form.js';
import { billed, billedJson, type Handler, isStrict, serve } from './serve-route.js';

/** Endpoints that take a JSON body, are asked once and answered once, in OpenAI's dialect. */
const JSON_ENDPOINTS: readonly { readonly url: string; read(body: Buffer): Exchange }[] = [
  { url: '/v1/embeddings', read: readOpenAiEmbeddings },
  { url: '/v1/moderations', read: readModeration },
  { url: '/v1/rerank', read: readRerank },
  { url: '/v1/audio/speech', read: readSpeech },
];

/** Embeddings, images, audio: everything that is neither a chat nor a task. */
export function registerExchanges(scope: FastifyInstance, kit: Kit): void {
  for (const { url, read } of JSON_ENDPOINTS) {
    serve(scope, url, 'openai-chat', { POST: billedExchange(url, (_request, body) => read(body), kit) });
  }
}

/** An exchange with a JSON body: read only once its caller is admitted and its Idempotency-Key is its own. */
export function billedExchange(
  endpoint: string,
  read: (request: FastifyRequest, body: Buffer) => Exchange,
  kit: Kit,
): Handler {
  return billedJson(
    endpoint,
    ({ request, body, record, client, lease }) =>
      answerExchange(
        { exchange: read(request, body), strict: isStrict(request), lease },
        record,
        client,
        kit,
      ),
    kit,
  );
}

/** An exchange with a form for a body. */
export function billedForm(
  endpoint: string,
  limits: FormLimits,
  read: (form: FormBody) => Exchange | Promise<Exchange>,
  kit: Kit,
): Handler {
  return billed(
    endpoint,
    async (request, lease) => {
      const form = await readForm(request, limits, { lease, spool: kit.spool });
      return {
        fingerprint: () => fingerprintForm(form),
        run: async (record, client) =>
          answerExchange(
            { exchange: await read(form), strict: isStrict(request), lease },
            record,
            client,
            kit,
          ),
      };
    },
    kit,
  );
}
