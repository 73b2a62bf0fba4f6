import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { replaceVariables } from './replace-variables.js';

const duration = z.string().transform((text, context) => {
  const found = /^(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (found) return Number(found[1] ?? 0) * 60_000 + Number(found[2] ?? 0) * 1_000 + Number(found[3] ?? 0);
  context.addIssue(`${text} is no duration such as 1m30s`);
  return z.NEVER;
});

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const healthCheckSchema = z.object({
  test: z.array(z.string()),
  interval: duration.default(30_000),
  timeout: duration.default(30_000),
  retries: z.number().default(3),
  start_period: duration.default(0),
});

const serviceSchema = z.object({
  image: z.string().optional(),
  build: z.object({ dockerfile: z.string().default('Dockerfile'), target: z.string().optional() }).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), scalar).default({}),
  depends_on: z
    .record(
      z.string(),
      z.object({
        condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
      }),
    )
    .default({}),
  healthcheck: healthCheckSchema.optional(),
  restart: z
    .union([
      z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
      z.templateLiteral(['on-failure:', z.int()]),
    ])
    .default('no'),
  tmpfs: z.array(z.string()).default([]),
  stop_grace_period: duration.default(10_000),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
});

export type HealthCheck = z.output<typeof healthCheckSchema>;
export type ComposeService = z.output<typeof serviceSchema>;

/** The services that start without a profile, by name, with every variable replaced as Docker Compose does. */
export type ComposeFile = Readonly<Record<string, ComposeService>>;

/**
 * Reads a compose file. https://docs.docker.com/reference/compose-file/
 *
 * @throws Error where the file does not read as one, or wants a variable that is not set.
 */
export function readComposeFile(path: string, variables: Readonly<Record<string, string>>): ComposeFile {
  const tree: unknown = parse(readFileSync(path, 'utf8'), { merge: true });
  const { services } = z.object({ services: z.record(z.string(), z.unknown()) }).parse(tree);
  const read: Record<string, ComposeService> = {};
  for (const [name, source] of Object.entries(services)) {
    const { profiles = [] } = z.object({ profiles: z.array(z.string()).optional() }).parse(source);
    if (profiles.length === 0) read[name] = serviceSchema.parse(replaceAll(source, variables));
  }
  return read;
}

function replaceAll(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return replaceVariables(value, variables);
  if (Array.isArray(value)) return value.map((item) => replaceAll(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceAll(item, variables)]));
}
