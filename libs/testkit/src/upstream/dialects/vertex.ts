import { isObject } from '../json.js';
import { refuse } from '../request.js';
import { anthropicMessages } from './anthropic-messages.js';
import { readMessagesRequest, refuseUrls } from './anthropic-request.js';
import type { Arrival, Dialect } from './dialect.js';
import { geminiGenerate } from './gemini-generate.js';
import { readBearer } from './read-bearer.js';

const PUBLISHER =
  /^\/v1\/projects\/[^/]+\/locations\/[^/]+\/publishers\/(google|anthropic)\/models\/(.+):(\w+)$/;

/** Cached contents are named in full. */
const CACHED = 'projects/';

/** Tokens of every Claude are counted at one address, where the body names the model. */
const COUNT_PATH = /\/publishers\/anthropic\/models\/count-tokens:rawPredict$/;

/** Gemini on Vertex: the same at another path, but that each turn has to name its role. */
export const vertexGemini: Dialect = {
  ...geminiGenerate,
  path: /\/publishers\/google\/models\/.+:(?:generateContent|streamGenerateContent)$/,
  readKey: readBearer,
  readModel: (arrival) => geminiGenerate.readModel(shorten(arrival)),
  readRequest: (arrival) => {
    const contents = isObject(arrival.body) ? arrival.body['contents'] : undefined;
    const turns: unknown[] = Array.isArray(contents) ? contents : [];
    if (turns.some((turn) => isObject(turn) && turn['role'] === undefined)) {
      return refuse('Please use a valid role: user, model.');
    }
    const cached = isObject(arrival.body) ? (arrival.body['cachedContent'] ?? CACHED) : CACHED;
    if (typeof cached !== 'string' || !cached.startsWith(CACHED)) {
      return refuse('Invalid resource field value in the request.');
    }
    return geminiGenerate.readRequest(shorten(arrival));
  },
  counting: {
    path: /\/publishers\/google\/models\/.+:countTokens$/,
    toChat: (arrival) => ({ ...arrival, path: arrival.path.replace(/countTokens$/, 'generateContent') }),
    describe: (tokens) => ({ totalTokens: tokens, totalBillableCharacters: tokens * 4 }),
  },
};

/** Claude on Vertex: Anthropic's messages without the model, which the path names. */
export const vertexClaude: Dialect = {
  ...anthropicMessages,
  path: /\/publishers\/anthropic\/models\/(?!count-tokens:).+:(?:rawPredict|streamRawPredict)$/,
  readKey: readBearer,
  readModel: ({ path }) => matchPublisher(path).model,
  readRequest: ({ path, headers, body }) => {
    if (!isObject(body)) return refuse('The request body is not valid JSON.');
    const { anthropic_version: version, ...rest } = body;
    if (version !== 'vertex-2023-10-16') return refuse('anthropic_version: Field required');
    if ('model' in rest) return refuse('model: Extra inputs are not permitted');
    const { model, method } = matchPublisher(path);
    if ((rest['stream'] === true) !== (method === 'streamRawPredict')) return refuse('stream: wrong method');
    const far = refuseUrls(rest);
    if (far) return far;
    return readMessagesRequest({
      path,
      headers: { ...headers, 'anthropic-version': '2023-06-01' },
      body: { ...rest, model },
    });
  },
  counting: {
    path: COUNT_PATH,
    toChat: (arrival) => {
      const { model, ...counted } = isObject(arrival.body) ? arrival.body : {};
      const path = arrival.path.replace(/count-tokens(?=:)/, encodeURIComponent(String(model)));
      return { ...arrival, path, body: { ...counted, max_tokens: 1 } };
    },
    describe: (tokens) => ({ input_tokens: tokens }),
  },
};

/** As Google's own address has it. */
function shorten(arrival: Arrival): Arrival {
  const { model, method } = matchPublisher(arrival.path);
  return { ...arrival, path: `/v1beta/models/${model}:${method}` };
}

function matchPublisher(path: string): { readonly model: string; readonly method: string } {
  const [, , model = '', method = ''] = PUBLISHER.exec(path) ?? [];
  return { model: decodeURIComponent(model), method };
}
