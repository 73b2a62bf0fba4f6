import { omitUndefined } from '@mg/contract';
import { coversMeter } from '@mg/pricing';
import {
  type CanonicalRequest,
  type ChatProtocol,
  convertMediaInSlices,
  countParts,
  ConvertingStream,
  FileMarks,
  findUnsupportedStops,
  findUpstreamProtocol,
  hasLongInputs,
  hasMediaToConvert,
  type JsonObject,
  keepIntegers,
  listToolOrigins,
  noteSchemasInSlices,
  type ProtocolName,
  readArgumentsInSlices,
  readResultsInSlices,
  readTier,
  type ReplyContext,
  runAtOnce,
  runInSlices,
  type Steps,
  stringifyInSlices,
  type UpstreamProtocol,
  writeArgumentsInSlices,
} from '@mg/protocols';
import type { Attempt } from '@mg/routing';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import { DroppedFields, isStrict } from '../../call/dropped-fields.js';
import type { ChatHold } from './bound-chat.js';
import type { HeldChat } from './prepare-chat.js';
import { isLarge, nextTurn } from '../../edge/loop-turns.js';
import type { MediaFetching } from '../../call/fetch-media.js';
import { inlineMedia, listUrlsToFetch, type MediaInlining } from './inline-media.js';
import type { ChatAttempt } from './chat-attempt.js';
import type { ChatRequest } from './chat-request.js';
import { convertAnswer } from './convert-answer.js';
import { encodeForChannel } from './encode-for-channel.js';
import { refuseUnpriced } from './refuse-unpriced.js';

/**
 * Out of the client's protocol into the canonical form, out of that into the channel's, and back. Media that the client
 * names by URL and the channel takes only as bytes are fetched first.
 */
export function prepareConverted(
  endpoint: ChatEndpoint,
  attempt: Attempt,
  chat: HeldChat,
  fetching: MediaFetching,
): ChatAttempt | Promise<ChatAttempt> {
  const { body } = chat.request;
  if (isLarge(body.length, countParts(body))) return convertInSteps(endpoint, attempt, chat, fetching);
  const decoded = chat.request.decode();
  const marks = new FileMarks();
  const inlined = inlineForChannel(decoded, endpoint, { fetching, marks });
  const call = { endpoint, attempt, chat };
  // However small the request is, what was fetched may be large.
  if (inlined instanceof Promise) return inlined.then((request) => writeInSteps(request, marks, call));
  const upstream = findUpstreamProtocol(endpoint.surface.protocol);
  if (hasMediaToConvert(inlined) || hasLongInputs(inlined, upstream)) {
    return writeInSteps(inlined, marks, call);
  }
  const { encoded, finish } = runAtOnce(convert(inlined, endpoint, attempt, chat));
  return finish(Buffer.from(JSON.stringify(encoded)));
}

/** A request that is converted for a channel. */
interface ConvertedCall {
  readonly endpoint: ChatEndpoint;
  readonly attempt: Attempt;
  readonly chat: HeldChat;
}

/** What is large is read, converted and written in turns of the event loop of their own. */
async function convertInSteps(
  endpoint: ChatEndpoint,
  attempt: Attempt,
  chat: HeldChat,
  fetching: MediaFetching,
): Promise<ChatAttempt> {
  const { protocol, body, envelope } = chat.request;
  await nextTurn();
  await noteContentInSteps(protocol, keepIntegers(body, envelope.parsed));
  const decoded = await chat.request.decodeInSlices(nextTurn);
  const marks = new FileMarks();
  const inlined = await inlineForChannel(decoded, endpoint, { fetching, marks });
  return writeInSteps(inlined, marks, { endpoint, attempt, chat });
}

/** What decoding a request would write or read in one step: arguments, results and schemas, each in turns of its own. */
export async function noteContentInSteps(protocol: ChatProtocol, request: JsonObject): Promise<void> {
  await writeArgumentsInSlices(protocol.listInputs?.(request) ?? [], nextTurn);
  const { list, pass } = protocol.ownSchemas ?? {};
  await pass?.note(list?.(request) ?? [], nextTurn);
}

/** @param marks stand in the request for files that were fetched. */
async function writeInSteps(
  request: CanonicalRequest,
  marks: FileMarks,
  { endpoint, attempt, chat }: ConvertedCall,
): Promise<ChatAttempt> {
  const upstream = findUpstreamProtocol(endpoint.surface.protocol);
  await nextTurn();
  const asked = await convertContentInSteps(request, upstream, marks);
  await nextTurn();
  const { encoded, finish } = await runInSlices(convert(asked, endpoint, attempt, chat), nextTurn);
  await nextTurn();
  return finish(await marks.put(await stringifyInSlices(encoded, nextTurn), nextTurn));
}

/**
 * A request with what an upstream takes in another form than that in which it was decoded: arguments, results, schemas and files,
 * in turns of the event loop of their own.
 *
 * @param marks stand in the request for files that are converted.
 */
export async function convertContentInSteps(
  request: CanonicalRequest,
  { takesObjects, takesResultObjects, textForm, schemaPasses = [] }: UpstreamProtocol,
  marks: FileMarks,
): Promise<CanonicalRequest> {
  const parsed = takesObjects === true ? await readArgumentsInSlices(request, nextTurn) : request;
  if (takesResultObjects) await readResultsInSlices(parsed, nextTurn);
  await noteSchemasInSlices(parsed, schemaPasses, nextTurn);
  return convertMediaInSlices(parsed, { textForm, marks, pause: nextTurn });
}

/** The request with what its channel takes only as bytes; the very same where that is nothing. */
function inlineForChannel(
  decoded: CanonicalRequest,
  { surface, traits }: ChatEndpoint,
  inlining: MediaInlining,
): CanonicalRequest | Promise<CanonicalRequest> {
  if (!inlining.fetching.enabled) return decoded;
  const urls = listUrlsToFetch(decoded, findUpstreamProtocol(surface.protocol), traits);
  return urls.length > 0 ? inlineMedia(decoded, urls, inlining) : decoded;
}

interface Converted {
  readonly encoded: unknown;
  /** @param body the encoded request as JSON. */
  finish(body: Buffer): ChatAttempt;
}

function* convert(
  decoded: CanonicalRequest,
  endpoint: ChatEndpoint,
  attempt: Attempt,
  chat: HeldChat,
): Steps<Converted> {
  const { surface, traits } = endpoint;
  const { request, hold } = chat;
  const client = request.protocol.codec;
  const upstream = findUpstreamProtocol(surface.protocol);
  const dropped = new DroppedFields(request.protocol);
  const priced = keepPriced(decoded, surface.protocol, chat);
  const capped = hold.cap === undefined ? priced : { ...priced, maxTokens: hold.cap };
  const asked =
    hasCacheMarks(capped, request) || attempt.channel.promptCaching === 'off'
      ? capped
      : (upstream.markForCaching?.(capped, traits) ?? capped);
  const asIs = yield* encodeForChannel(asked, { ...attempt, endpoint, client: request.protocol, dropped });
  refuseUnpricedTier(asIs, chat);
  const keepNothing = chat.keepsNothing ? upstream.keepNothing?.(asIs) : undefined;
  const encoded = { ...asIs, ...limitSearches(upstream, asIs, hold), ...keepNothing };
  if (!dropped.isEmpty && isStrict(request.headers)) {
    throw dropped.toRefusal(attempt.channel.type);
  }
  const toolOrigins = listToolOrigins(asked.tools);
  const context: ReplyContext = omitUndefined({
    model: request.envelope.model,
    includeUsage: request.showsUsage,
    showReasoning: request.envelope.showReasoning ?? true,
    functionCalls: request.envelope.functionCalls ?? false,
    framing: request.framing,
    toolOrigins,
    repeated: request.envelope.repeated,
  });
  const stops = findUnsupportedStops(asked, upstream, traits, request.protocol);
  const finish = (body: Buffer): ChatAttempt => ({
    body,
    dropped: dropped.isEmpty ? undefined : dropped,
    isNative: false,
    readAnswer: async (bytes, parsed) => ({
      bytes: await convertAnswer(bytes, parsed, { upstream, client: request.protocol, context, stops }),
      usage: upstream.readAnswerUsage(parsed),
      get produced() {
        return upstream.listProducedTexts(parsed);
      },
    }),
    createReader: () => new ConvertingStream(upstream.codec, client, context, stops),
  });
  return { encoded, finish };
}

/** Whether the client says itself what is to be cached: its marks are carried, and none is added. */
function hasCacheMarks({ tools, turns }: CanonicalRequest, { protocol }: ChatRequest): boolean {
  const { name, cacheMarks } = protocol;
  const isMarked = (ext: CanonicalRequest['ext'] | undefined) =>
    cacheMarks.some((mark) => ext?.[name]?.[mark] !== undefined);
  const blocks = turns.flatMap((turn) => turn.blocks);
  return (
    tools.some(({ ext }) => isMarked(ext)) ||
    blocks.some((block) => block.type !== 'opaque' && isMarked(block.ext))
  );
}

/**
 * The request without searches that the model has no price for: they are left out where another protocol would have had
 * them. Where the protocol stays the same, its tools would go along as they are.
 *
 * @throws GatewayError `invalid_request` where nothing of the kind may be left out.
 */
function keepPriced(
  decoded: CanonicalRequest,
  protocol: ProtocolName,
  { request, hold }: HeldChat,
): CanonicalRequest {
  const tools = hold.unpriced.filter(({ kind }) => kind === 'tool');
  if (tools.length === 0) return decoded;
  if (protocol === request.protocol.name || decoded.serverTools.some(({ required }) => required)) {
    refuseUnpriced(tools, request.envelope.model);
  }
  if (coversMeter(hold.price.price, 'per_web_search')) return decoded;
  return { ...decoded, serverTools: decoded.serverTools.map(({ search: _search, ...tool }) => tool) };
}

function refuseUnpricedTier(body: JsonObject, { request, hold }: HeldChat): void {
  if (readTier(body.service_tier ?? body.serviceTier, '') === undefined) return;
  const tiers = hold.unpriced.filter(({ kind }) => kind === 'tier');
  refuseUnpriced(tiers, request.envelope.model);
}

/** Members by which a search that became the channel's own is used no more often than was held for. */
function limitSearches(
  upstream: UpstreamProtocol,
  encoded: JsonObject,
  { toolUses = 1, demand }: ChatHold,
): JsonObject {
  if (demand.tools.length === 0 || !upstream.limitTools) return {};
  const limits = demand.tools
    .filter(({ fee }) => fee === 'per_web_search')
    .map(({ uses = toolUses, rounds = uses }) => Math.min(uses, rounds));
  return upstream.limitTools(encoded, limits.length === 0 ? toolUses : Math.max(1, Math.min(...limits)));
}
