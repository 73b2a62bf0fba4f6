import { joinInSlices } from '@mg/contract';
import {
  cutBytes,
  encodePieces,
  gatherBytes,
  type JsonObject,
  type OutgoingBody,
  rewriteInSlices,
} from '@mg/protocols';
import type {
  ExchangeSurface,
  ProviderDescriptor,
  RealtimeCall,
  RealtimeSurface,
  Surface,
  SurfaceCall,
} from './descriptor.js';
import type { OutgoingRequest, Settings, SigningContext } from './signing.js';
import { dropVersion, joinUpstreamUrl } from './join-url.js';

/** The address of a channel: its own, or its provider's well-known one. */
export function findBaseUrl(
  provider: ProviderDescriptor,
  baseUrl: string | undefined,
  settings: Settings,
): string | undefined {
  if (baseUrl !== undefined) return baseUrl;
  const { defaultBaseUrl } = provider;
  return typeof defaultBaseUrl === 'function' ? defaultBaseUrl(settings) : defaultBaseUrl;
}

/** The surface of a channel that serves a model: one in the client's own protocol where there is one, else the provider's preferred. */
export function chooseSurface(
  provider: ProviderDescriptor,
  operation: Surface['operation'],
  model: string,
  protocol: Surface['protocol'],
  settings: Settings,
): Surface | undefined {
  const serving = provider.surfaces.filter(
    (surface) => surface.operation === operation && (surface.serves?.(model, settings) ?? true),
  );
  return serving.find((surface) => surface.protocol === protocol) ?? serving[0];
}

/** The surface of an operation that serves a model: one in the client's own wire format where there is one. */
export function chooseExchange(
  provider: ProviderDescriptor,
  operation: ExchangeSurface['operation'],
  model: string,
  protocol: ExchangeSurface['protocol'],
  settings: Settings,
): ExchangeSurface | undefined {
  const serving = (provider.exchanges ?? []).filter(
    (surface) => surface.operation === operation && (surface.serves?.(model, settings) ?? true),
  );
  return serving.find((surface) => surface.protocol === protocol) ?? serving[0];
}

/** The provider's surface for sessions with a model in a protocol; `undefined` where it has none. */
export function chooseRealtime(
  { realtime = [] }: ProviderDescriptor,
  protocol: RealtimeSurface['protocol'],
  model: string,
  settings: Settings,
): RealtimeSurface | undefined {
  return realtime.find(
    (surface) => surface.protocol === protocol && (surface.serves?.(model, settings) ?? true),
  );
}

/**
 * Where a session is opened, and the headers to open it with.
 *
 * @throws TypeError when the base address is no URL.
 */
export function addressRealtime(
  { versionPath }: ProviderDescriptor,
  surface: RealtimeSurface,
  baseUrl: string,
  call: RealtimeCall,
  apiKey: string | undefined,
): Pick<OutgoingRequest, 'url' | 'headers'> {
  const url = surface.isBesideVersion
    ? joinUpstreamUrl(dropVersion(baseUrl), '', surface.path(call))
    : joinUpstreamUrl(baseUrl, versionPath, surface.path(call));
  return {
    url,
    headers: { ...surface.authorize(apiKey, call), 'user-agent': 'model-gateway' },
  };
}

/**
 * Where a channel's upstream keeps a response, and the headers to ask for it with; `undefined` where it keeps none.
 *
 * @throws TypeError when the base address is no URL.
 */
export function addressKeptResponse(
  { surfaces, versionPath }: ProviderDescriptor,
  id: string,
  baseUrl: string,
  settings: Settings,
  apiKey: string,
): Pick<OutgoingRequest, 'url' | 'headers'> | undefined {
  const surface = surfaces.find(({ keptResponsePath }) => keptResponsePath !== undefined);
  const path = surface?.keptResponsePath?.(id, settings);
  if (!surface || path === undefined) return undefined;
  const authorization = surface.authorize(apiKey, { model: '', stream: false, settings });
  return {
    url: joinUpstreamUrl(baseUrl, versionPath, path),
    headers: { ...authorization, 'user-agent': 'model-gateway', 'accept-encoding': 'identity' },
  };
}

/** Bodies up to this size are adapted in one go. */
const ONE_STEP_BYTES = 512 * 1024;

/** The body as the surface wants it; the very same buffer when it wants no change. */
export function adaptBody(surface: Surface, body: Buffer, call: SurfaceCall): Buffer {
  if (!surface.adapt) return body;
  const parsed = JSON.parse(body.toString('utf8')) as JsonObject;
  const adapted = surface.adapt(parsed, call);
  const bytes = adapted === parsed ? body : Buffer.from(JSON.stringify(adapted));
  if (!surface.base64Within) return bytes;
  const [before, behind] = surface.base64Within;
  return Buffer.from(before + bytes.toString('base64') + behind);
}

export interface OutgoingInput {
  readonly provider: ProviderDescriptor;
  readonly surface: Surface | ExchangeSurface;
  readonly baseUrl: string;
  readonly call: SurfaceCall;
  readonly body: OutgoingBody;
  /** Headers of the client that the surface lets pass. */
  readonly passedHeaders: Readonly<Record<string, string>>;
}

/**
 * The finished request to an upstream: adapted to its surface, addressed, authorised, signed.
 *
 * @throws TypeError when the base address is no URL, and what signing throws.
 */
export function buildOutgoing(
  input: OutgoingInput,
  context: SigningContext,
): OutgoingRequest | Promise<OutgoingRequest> {
  const { body, surface, call } = input;
  const { bytes } = body;
  const isAdapted = 'adapt' in surface;
  const isAtHand = Buffer.isBuffer(bytes) && bytes.length <= ONE_STEP_BYTES;
  if ((isAdapted || surface.sign) && !isAtHand) return buildLarge(input, context);
  return address(input, isAdapted && isAtHand ? adaptBody(surface, bytes, call) : bytes, context);
}

/** A large body that is read before it goes out: in one piece, and changed in steps. */
async function buildLarge(input: OutgoingInput, context: SigningContext): Promise<OutgoingRequest> {
  const { surface, call, body } = input;
  const pause = context.pause ?? (() => Promise.resolve());
  const whole = await gatherBytes(body.bytes, pause);
  const adapt = 'adapt' in surface ? surface.adapt : undefined;
  const bytes = adapt
    ? await rewriteInSlices(whole, (parsed) => adapt.call(surface, parsed, call), pause)
    : whole;
  const wrapped = 'base64Within' in surface ? await wrapInSlices(bytes, surface.base64Within, pause) : bytes;
  return address(input, wrapped, context);
}

async function wrapInSlices(
  bytes: Buffer,
  [before, behind]: readonly [string, string],
  pause: () => Promise<void>,
): Promise<Buffer> {
  const pieces = await encodePieces(cutBytes(bytes, pause));
  return joinInSlices([Buffer.from(before), ...pieces, Buffer.from(behind)], pause);
}

function address(
  { provider, surface, baseUrl, call, body, passedHeaders }: OutgoingInput,
  bytes: OutgoingRequest['body'],
  context: SigningContext,
): OutgoingRequest | Promise<OutgoingRequest> {
  const request: OutgoingRequest = {
    url: joinUpstreamUrl(baseUrl, provider.versionPath, surface.path(call)),
    headers: {
      ...passedHeaders,
      ...surface.authorize(context.apiKey, call),
      'content-type': body.contentType,
      accept: call.stream ? 'text/event-stream' : (body.accept ?? 'application/json'),
      'accept-encoding': 'identity',
      'user-agent': 'model-gateway',
    },
    body: bytes,
  };
  return surface.sign ? surface.sign(request, context) : request;
}
