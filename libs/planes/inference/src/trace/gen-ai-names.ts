/** Well-known values of `gen_ai.operation.name`, by the end of our paths; others are called as their path ends. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'chat/completions': 'chat',
  messages: 'chat',
  responses: 'chat',
  completions: 'text_completion',
  embeddings: 'embeddings',
};

const GOOGLE_METHODS: Readonly<Record<string, string>> = {
  generateContent: 'generate_content',
  streamGenerateContent: 'generate_content',
  embedContent: 'embeddings',
  batchEmbedContents: 'embeddings',
};

/**
 * What an endpoint does, in OpenTelemetry's words.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/
 */
export function nameOperation(endpoint: string): string {
  const [path = '', method] = endpoint.split(':');
  if (method !== undefined && method in GOOGLE_METHODS) return GOOGLE_METHODS[method] ?? method;
  const name = path.replace(/^\/v\w+\//, '');
  return OPERATIONS[name] ?? name.replaceAll('/', '_');
}
