import type { JsonObject } from '../json.js';
import type { ToolDefinition } from './request.js';

/**
 * How a client of the Responses API declared a tool that other protocols know as a function only: within a namespace, as
 * free text (`custom`), or as a search for tools that the client runs.
 */
export interface ToolOrigin {
  readonly kind: 'function' | 'custom' | 'tool-search';
  readonly namespace?: string;
  /** The name within the namespace. */
  readonly name: string;
  /** The declaration or item as it stood, for its own protocol. */
  readonly raw?: JsonObject;
  /** What the namespace is for, as the client describes it. */
  readonly namespaceDescription?: string;
  /** Whether a search has loaded it: its own protocol has it in the search's output. */
  readonly isLoaded?: boolean;
}

/** The origins of a request's tools by the name that other protocols call them; `undefined` where there are none. */
export function listToolOrigins(
  tools: readonly ToolDefinition[],
): ReadonlyMap<string, ToolOrigin> | undefined {
  const origins = tools.flatMap(({ name, origin }) => (origin ? [[name, origin] as const] : []));
  return origins.length === 0 ? undefined : new Map(origins);
}
