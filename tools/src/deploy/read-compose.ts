import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../architecture-tests/workspace.js';

const value = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const serviceSchema = z.looseObject({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string(), target: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), value).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  stop_grace_period: z.templateLiteral([z.number(), 's']).default('10s'),
  tmpfs: z.array(z.string()),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  mem_limit: z.string(),
  logging: z.object({ options: z.object({ 'max-size': z.string(), 'max-file': z.string() }) }),
});

const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.null()),
});

export type Compose = z.output<typeof composeSchema>;
export type ComposeService = z.output<typeof serviceSchema>;

/** A variable that the compose file takes from the environment or from `.env`. */
export interface ComposeVariable {
  readonly name: string;
  /** What it says when the variable is missing; `undefined` when it may be. */
  readonly message: string | undefined;
  /** What stands in for it; `undefined` when it must be set. */
  readonly fallback: string | undefined;
}

const COMPOSE_FILE = 'docker-compose.yml';
const VARIABLE = /\$\{(\w+)(?::-([^}]*)|:\?([^}]*))?\}/g;

export function readCompose(): Compose {
  return composeSchema.parse(parse(readFileSync(join(ROOT, COMPOSE_FILE), 'utf8'), { merge: true }));
}

/** Every variable of the compose file once, in the order in which they stand there. */
export function listComposeVariables(): ComposeVariable[] {
  const variables = new Map<string, ComposeVariable>();
  for (const [, name = '', fallback, message] of readFileSync(join(ROOT, COMPOSE_FILE), 'utf8').matchAll(
    VARIABLE,
  )) {
    const known = variables.get(name);
    variables.set(name, {
      name,
      message: known?.message ?? message,
      fallback: known?.fallback ?? fallback,
    });
  }
  return [...variables.values()];
}

/** The text as Compose reads it with these variables set. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    VARIABLE,
    (_whole, name: string, fallback?: string) => variables[name] ?? fallback ?? '',
  );
}
