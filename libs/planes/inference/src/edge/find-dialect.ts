import type { ClientProtocolName } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Dialect of the endpoint's errors. */
    protocol?: EndpointDialect;
  }
}

/** The dialect of an endpoint, or how to tell it by a request where clients of several protocols share a path. */
export type EndpointDialect = ClientProtocolName | ((request: FastifyRequest) => ClientProtocolName);

/**
 * The dialect that a request is answered in, its errors too. Paths that are not there speak the dialect of their prefix, or
 * of the client as far as its headers tell.
 */
export function findDialect(request: FastifyRequest): ClientProtocolName {
  const { protocol } = request.routeOptions.config;
  if (typeof protocol === 'string') return protocol;
  if (protocol) return protocol(request);
  return request.url.startsWith('/v1beta/') ? 'gemini-generate' : findClientProtocol(request);
}

/** A POST to a model is Google's protocol whatever key it comes with; lists are told apart by the client. */
export function findModelsDialect(request: FastifyRequest): ClientProtocolName {
  return request.method === 'POST' ? 'gemini-generate' : findClientProtocol(request);
}

/** Headers that name a call to its client: Anthropic's SDKs read `request-id`, https://docs.anthropic.com/en/api/errors. */
export function nameRequest(dialect: ClientProtocolName, requestId: string): Record<string, string> {
  return dialect === 'anthropic-messages'
    ? { 'x-request-id': requestId, 'request-id': requestId }
    : { 'x-request-id': requestId };
}

/**
 * Whose SDK is asking at a path that several share: Anthropic's name their version, and Google's are the only ones with a
 * key in `x-goog-api-key` or in the query. https://ai.google.dev/api, https://docs.anthropic.com/en/api/versioning
 */
export function findClientProtocol({
  headers,
  query,
}: FastifyRequest): 'openai-chat' | 'anthropic-messages' | 'gemini-generate' {
  if (headers['anthropic-version'] !== undefined) return 'anthropic-messages';
  if (headers['x-goog-api-key'] !== undefined) return 'gemini-generate';
  const hasOtherKey = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
  const isInQuery = typeof query === 'object' && query !== null && 'key' in query;
  return isInQuery && !hasOtherKey ? 'gemini-generate' : 'openai-chat';
}
