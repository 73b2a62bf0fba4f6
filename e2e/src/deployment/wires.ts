/** A channel that speaks one protocol to the fake upstream, behind slugs that say so. */
export interface Wire {
  readonly name: string;
  /** The channel's type. */
  readonly type: string;
  /** Path of the upstream's versioned base address. */
  readonly path: string;
  /** A real model's name, from which the gateway reads what such a model can. */
  readonly model: string;
}

/** One channel for each protocol that upstreams speak. */
export const WIRES: readonly Wire[] = [
  { name: 'chat', type: 'openai-compatible', path: '/v1', model: 'some-model' },
  // OpenAI offers this model on responses alone.
  { name: 'responses', type: 'openai', path: '/v1', model: 'codex-mini-latest' },
  { name: 'anthropic', type: 'anthropic', path: '/v1', model: 'claude-sonnet-4-5' },
  { name: 'gemini', type: 'gemini', path: '/v1beta', model: 'gemini-3.5-flash' },
];

/** Speaks chat completions and responses, each to the clients that do, and chat completions to all others. */
export const OPENAI: Wire = { name: 'openai', type: 'openai', path: '/v1', model: 'gpt-5.1' };

/** Behaviours of the fake upstream that each wire offers. */
const BEHAVIOURS_OVER_WIRES = [
  'plain',
  'cached-prompt',
  'cache-written',
  'two-tool-calls',
  'thinks',
  'thinks-and-calls',
  'writes-a-file',
  'endless',
  'error-400-context',
  'error-401',
  'error-429',
  'error-500',
  'error-event-in-stream',
  'end-in-stream',
];

/** The slug of a behaviour behind a wire. */
export function slugOver(wire: Wire, behaviour: string): string {
  return `over-${wire.name}-${behaviour}`;
}

/** The name by which the fake upstream knows it. */
export function upstreamModelOver(wire: Wire, behaviour: string): string {
  return `${wire.model}--${behaviour}`;
}

/** Public slug to the upstream's model name, for a wire's channel. */
export function listModelsOver(wire: Wire): Record<string, string> {
  return Object.fromEntries(
    BEHAVIOURS_OVER_WIRES.map((name) => [slugOver(wire, name), upstreamModelOver(wire, name)]),
  );
}
