import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ApiError,
  type Content,
  type FunctionCall,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
  ThinkingLevel,
} from '@google/genai';
import { omitUndefined } from '@mg/contract';
import { KEYS } from '../../deployment/credentials.js';
import type { Deployment } from '../../deployment/deployment.js';
import { readAll } from '../openai-client.js';
import type { ChatClient, Conversation, Reply, RunOptions, Setup } from './conversation.js';
import { readCost } from './read-cost.js';

/** The official client, changed in nothing but its address and key. */
export function createGoogle(deployment: Deployment, apiKey: string = KEYS.main): GoogleGenAI {
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: deployment.gatewayUrl } });
}

/** Lines of a file that the SDK downloads: the results of a batch. */
export async function downloadGoogle(
  deployment: Deployment,
  file: string | undefined,
  apiKey?: string,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mg-google-'));
  try {
    const downloadPath = join(folder, 'results.jsonl');
    await createGoogle(deployment, apiKey).files.download({ file: file ?? '', downloadPath });
    return (await readFile(downloadPath, 'utf8')).split('\n').slice(0, -1);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Google's SDK. */
export const gemini: ChatClient = {
  name: 'google',
  stops: { end: 'STOP', length: 'MAX_TOKENS', calls: 'STOP' },
  droppedThoughts: 'contents.thought',
  kinds: {
    badRequest: 'INVALID_ARGUMENT',
    wrongKey: 'UNAUTHENTICATED',
    forbidden: 'PERMISSION_DENIED',
    unknownModel: 'NOT_FOUND',
    upstream: 'INTERNAL',
    unavailable: 'UNAVAILABLE',
  },
  errorTypes: { badRequest: 'ApiError', upstream: 'ApiError', unavailable: 'ApiError' },
  open(deployment, setup): Conversation {
    const client = createGoogle(deployment, setup.apiKey);
    const contents: Content[] = [];
    let calls: readonly FunctionCall[] = [];
    return {
      ask: ({ text, image }) => void contents.push({ role: 'user', parts: askWith(text, image) }),
      answerCalls: (results) => {
        const parts = calls.map(({ id, name = '' }, index) => ({
          functionResponse: omitUndefined({ id, name, response: { output: results[index] } }),
        }));
        contents.push({ role: 'user', parts });
      },
      run: async (options) => {
        const config = {
          ...describeSetup(setup),
          ...omitUndefined({ abortSignal: options.signal }),
        };
        const chunks = await run(client, { model: options.model ?? setup.model, contents, config }, options);
        const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
        calls = parts.flatMap((part) => part.functionCall ?? []);
        contents.push({ role: 'model', parts });
        return readChunks(chunks, parts);
      },
    };
  },
  readFailure: (error) => {
    if (!(error instanceof ApiError)) throw error;
    const body = JSON.parse(error.message) as { error?: { status?: string; message?: string } };
    return {
      status: error.status,
      type: error.constructor.name,
      kind: body.error?.status,
      message: body.error?.message ?? '',
    };
  },
  listModels: async (deployment) => {
    const models = await readAll(await createGoogle(deployment).models.list());
    return models.map((model) => model.name?.replace('models/', '') ?? '');
  },
  showModel: async (deployment, model) =>
    (await createGoogle(deployment).models.get({ model })).name?.replace('models/', ''),
};

function describeSetup({ system, tools, schema, think, maxTokens, headers }: Setup): GenerateContentConfig {
  return omitUndefined({
    systemInstruction: system,
    maxOutputTokens: maxTokens,
    thinkingConfig: think ? { includeThoughts: true, thinkingLevel: ThinkingLevel.HIGH } : undefined,
    tools: tools ? [{ functionDeclarations: tools.map(declare) }] : undefined,
    responseMimeType: schema ? 'application/json' : undefined,
    responseJsonSchema: schema,
    httpOptions: headers ? { headers: { ...headers } } : undefined,
  });
}

function declare({ parameters, ...tool }: NonNullable<Setup['tools']>[number]) {
  return { ...tool, parametersJsonSchema: parameters };
}

/** The chunks of a stream; a whole answer is the only one. */
async function run(
  client: GoogleGenAI,
  request: GenerateContentParameters,
  { stream, onText }: RunOptions,
): Promise<GenerateContentResponse[]> {
  if (!stream) return [await client.models.generateContent(request)];
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of await client.models.generateContentStream(request)) {
    chunks.push(chunk);
    const text = readTexts(chunk.candidates?.[0]?.content?.parts ?? [], false);
    if (text !== '') onText?.(text);
  }
  return chunks;
}

function readChunks(chunks: readonly GenerateContentResponse[], parts: readonly Part[]): Reply {
  const finish = chunks.map((chunk) => chunk.candidates?.[0]?.finishReason).findLast((reason) => reason);
  const usage = chunks.findLast((chunk) => chunk.usageMetadata)?.usageMetadata;
  return {
    text: readTexts(parts, false),
    thoughts: readTexts(parts, true),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall ? [{ name: functionCall.name ?? '', args: functionCall.args }] : [],
    ),
    stop: finish,
    counts: {
      input: usage?.promptTokenCount ?? NaN,
      cached: usage?.cachedContentTokenCount ?? 0,
      output: (usage?.candidatesTokenCount ?? NaN) + (usage?.thoughtsTokenCount ?? 0),
    },
    model: chunks[0]?.modelVersion,
    headers: chunks[0]?.sdkHttpResponse?.headers ?? {},
    ...readCost(usage),
  };
}

function readTexts(parts: readonly Part[], thought: boolean): string {
  return parts.map((part) => ((part.thought ?? false) === thought ? (part.text ?? '') : '')).join('');
}

function askWith(text: string, image: string | undefined): Part[] {
  return [{ text }, ...(image === undefined ? [] : [{ inlineData: { mimeType: 'image/png', data: image } }])];
}
