import { z } from 'zod';
import {
  address,
  claim,
  claimName,
  flag,
  headerList,
  issuer,
  networkAddresses,
  origins,
  password,
  port,
  scopes,
  secret,
  ssoCallback,
  whole,
  workers,
} from './environment-rules.js';
import { pathToName } from './sentences.js';

interface Declaration<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly defaultText: string;
  readonly meaning: string;
}

function declare<Schema extends z.ZodType>(
  schema: Schema,
  defaultText: string,
  meaning: string,
): Declaration<Schema> {
  return { schema, defaultText, meaning };
}

/** Every variable of the environment, declared once: its rule, its default in words and its meaning. The docs are generated from here. */
export const ENVIRONMENT = {
  HOST: declare(
    z.string().min(1).optional(),
    '127.0.0.1 (monolith), 0.0.0.0 (planes)',
    'address to listen on',
  ),
  GATEWAY_PORT: declare(port.default(8080), '8080', 'port of the gateway plane'),
  CONSOLE_PORT: declare(port.default(8081), '8081', 'port of the Console API and page'),
  BILLING_PORT: declare(port.default(8082), '8082', 'port of the billing plane: health and metrics'),
  VIDEO_WORKER_PORT: declare(port.default(8083), '8083', 'port of the video worker: health and metrics'),
  DATABASE_URL: declare(
    address('postgres(ql)?', 'postgres://user:password@host:5432/name').optional(),
    'embedded (monolith)',
    'Postgres',
  ),
  REDIS_URL: declare(address('rediss?', 'redis://host:6379').optional(), 'embedded (monolith)', 'Redis'),
  GATEWAY_DATABASE_PASSWORD: declare(
    password.optional(),
    'none: the role keeps what it has',
    'what migrate lets the gateway log in to Postgres with, as mg_gateway',
  ),
  BILLING_DATABASE_PASSWORD: declare(password.optional(), 'none', 'the same for billing, as mg_billing'),
  VIDEO_WORKER_DATABASE_PASSWORD: declare(
    password.optional(),
    'none',
    'the same for the video worker, as mg_video_worker',
  ),
  CONSOLE_DATABASE_PASSWORD: declare(password.optional(), 'none', 'the same for the console, as mg_console'),
  DATA_DIR: declare(
    z.string().min(1).default('.data'),
    '.data',
    'embedded data, spool files, usage that Postgres does not have yet, generated secrets',
  ),
  GATEWAY_CONFIG: declare(z.string().min(1).optional(), 'none', 'path of the YAML configuration file'),
  METRICS_ENABLED: declare(flag.default(false), 'false', 'serves GET /metrics; off means 404'),
  METRICS_TOKEN: declare(
    z.string().min(1).optional(),
    'none',
    'when set, /metrics wants Authorization: Bearer <token>',
  ),
  JWT_SECRET: declare(secret.optional(), 'generated into DATA_DIR (monolith)', 'signs Console sessions'),
  JWT_SECRET_PREVIOUS: declare(
    secret.optional(),
    'none',
    'a second JWT_SECRET whose sessions are accepted, while it is being rotated',
  ),
  ENCRYPTION_KEY: declare(
    secret.optional(),
    'generated into DATA_DIR (monolith)',
    'seals provider keys at rest',
  ),
  ENCRYPTION_KEY_PREVIOUS: declare(
    secret.optional(),
    'none',
    'a second ENCRYPTION_KEY that opens what it sealed or signed, while it is being rotated',
  ),
  LOG_LEVEL: declare(
    z
      .enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'must be fatal, error, warn, info, debug, trace or silent',
      )
      .default('info'),
    'info',
    'level of the JSON logs on stdout',
  ),
  INSTANCE_ID: declare(
    z.string().min(1).max(128).optional(),
    'host name and port',
    'name of this process, kept across restarts: a new epoch of it ends the holds of the old one',
  ),
  DRAIN_TIMEOUT_SECONDS: declare(
    z.coerce
      .number('must be a number of seconds')
      .int('must be a whole number of seconds')
      .min(1, 'must be at least 1')
      .max(3_600, 'must be at most 3600')
      .default(30),
    '30',
    'how long calls in flight may take to finish after SIGTERM before they are cut',
  ),
  BODY_BUDGET_MB: declare(
    z.coerce
      .number('must be a number of megabytes')
      .int('must be a whole number of megabytes')
      .min(192, 'must be at least 192')
      .default(512),
    '512',
    'memory for the bodies of all calls in flight; beyond it callers are asked to come again, one API key may hold half',
  ),
  GATEWAY_INTERNAL_URL: declare(
    address('https?', 'http://gateway:8080').optional(),
    'http://127.0.0.1 at GATEWAY_PORT',
    'address of the gateway plane as video workers reach it, who send the lines of batches there, and the console, which plays videos of tasks from there',
  ),
  BATCH_CONCURRENCY: declare(
    whole('lines', 1).default(32),
    '32',
    'lines of batches that one video worker has in progress; a quarter of them at most are of one wallet',
  ),
  SPOOL_BUDGET_MB: declare(
    z.coerce
      .number('must be a number of megabytes')
      .int('must be a whole number of megabytes')
      .min(64, 'must be at least 64')
      .default(2_048),
    '2048',
    'disk under DATA_DIR/spool for large files of the requests in flight; beyond it callers are asked to come again, one API key may hold half',
  ),
  LEASES: declare(
    flag.default(true),
    'on',
    'on lets gateways admit calls of ample wallets in memory, from slices that billing grants them; off asks billing for each call',
  ),
  GATEWAY_WORKERS: declare(
    workers.default(1),
    '1',
    'processes that serve the port of the gateway plane, each of which uses about one core; auto takes one for each core. They share BODY_BUDGET_MB and SPOOL_BUDGET_MB, of which each has at least 192 and 64',
  ),
  RETENTION_LOGS_DAYS: declare(
    whole('days', 0).default(365),
    '365',
    'how long calls stay in the log; 0 keeps them for good. Sums of usage and the ledger stay in any case',
  ),
  RETENTION_HOLDS_DAYS: declare(
    whole('days', 0).default(90),
    '90',
    'how long holds of calls that have ended are kept; 0 keeps them for good. A call without its hold can no longer be refunded',
  ),
  RETENTION_JOURNAL_DAYS: declare(
    whole('days', 0).default(7),
    '7',
    'how long usage that has been charged stays in the journal; 0 keeps it for good',
  ),
  RETENTION_TASKS_DAYS: declare(
    whole('days', 0).default(365),
    '365',
    'how long video tasks that have ended are kept, with their history, webhook deliveries and hold; 0 keeps them for good. After it a poll answers 502, task_not_found',
  ),
  RETENTION_WASTE_DAYS: declare(
    whole('days', 0).default(400),
    '400',
    'how long attempts that no caller pays for are listed one by one; 0 keeps them for good. Their entries in the ledger stay',
  ),
  RETENTION_AUDIT_DAYS: declare(
    whole('days', 0).default(0),
    '0',
    'how long the audit log is kept, at least a month; 0 keeps it for good',
  ),
  RETENTION_HOURLY_USAGE_DAYS: declare(
    whole('days', 0).default(400),
    '400',
    'how long sums of usage by the hour are kept; 0 keeps them for good. Questions about an older time begin and end with a day, in UTC',
  ),
  RETENTION_DAILY_USAGE_DAYS: declare(
    whole('days', 0).default(0),
    '0',
    'how long sums of usage by the day are kept; 0 keeps them for good',
  ),
  RETENTION_REPLIES_HOURS: declare(
    whole('hours', 1).default(24),
    '24',
    'how long an Idempotency-Key is remembered with its answer',
  ),
  RETENTION_RESPONSES_DAYS: declare(
    whole('days', 1).default(30),
    '30',
    'how long the Responses API remembers calls that later ones may go on from, and conversations since they were last written to',
  ),
  RETENTION_FILES_DAYS: declare(
    whole('days', 1).default(30),
    '30',
    'how long files for batches, batches that have ended and their results are kept',
  ),
  SANDBOX_ENABLED: declare(flag.default(true), 'true', 'offers the simulated models of the sandbox channel'),
  FETCH_MEDIA_URLS: declare(
    flag.default(true),
    'true',
    'fetches media that callers name by URL where a channel takes only their bytes; otherwise such a call is refused',
  ),
  ALLOW_PRIVATE_URLS: declare(
    flag.default(false),
    'false',
    'lets URLs that callers send reach private addresses',
  ),
  PUBLIC_URL: declare(
    z
      .url({ protocol: /^https?$/, error: 'must be an address such as https://gateway.example.com' })
      .optional(),
    "this machine's address",
    'address of the gateway plane as callers reach it, for links in its answers and webhooks; behind a proxy or under a name it has to be set',
  ),
  CONSOLE_ORIGIN: declare(
    origins.default([]),
    "none; the Console's own (monolith)",
    'origins, separated by commas, whose page may call the gateway from a browser: where the Console is opened',
  ),
  TRUSTED_PROXIES: declare(
    networkAddresses.default([]),
    'none',
    'addresses and networks, separated by commas, of the reverse proxies before gateways and the Console: what they say of the client in X-Forwarded-For is believed, for allowed_ips of keys, limits on logins and the audit log',
  ),
  ALERT_WEBHOOK_URL: declare(
    address('https?', 'https://alerts.example.com/hook').optional(),
    'none',
    'where the console sends alerts; what is set in the Console takes its place. Private addresses are fine here',
  ),
  SMTP_URL: declare(
    address('smtps?', 'smtps://user:password@mail.example.com:465').optional(),
    'none',
    'mail server that the console sends alerts by; what is set in the Console takes its place. Private addresses are fine here',
  ),
  OIDC_ISSUER: declare(
    issuer.optional(),
    'none: no single sign-on',
    'OpenID Connect issuer that users of the Console may sign in through. Private addresses are fine here',
  ),
  OIDC_CLIENT_ID: declare(z.string().min(1).optional(), 'none', 'client id of the Console there'),
  OIDC_CLIENT_SECRET: declare(z.string().min(1).optional(), 'none', 'its secret'),
  OIDC_REDIRECT_URL: declare(
    ssoCallback.optional(),
    'none',
    'where the issuer sends browsers back to: the address that the Console is opened at, with /api/v1/auth/sso/callback',
  ),
  OIDC_ADMINISTRATOR_CLAIM: declare(
    claim.optional(),
    'none: roles are given in the Console alone',
    'claim and value, such as groups=gateway-admins, of those who are administrators; at each single sign-on it makes whoever has it one, and whoever has it not a member',
  ),
  OIDC_MEMBER_CLAIM: declare(
    claim.optional(),
    'none: whoever the issuer signs in',
    'claim and value, such as groups=gateway-users, of those who may sign in by single sign-on, beside administrators by OIDC_ADMINISTRATOR_CLAIM',
  ),
  OIDC_PROJECTS_CLAIM: declare(
    claimName.optional(),
    'none: projects are joined in the Console alone',
    'claim, such as groups, whose values let whoever signs in by single sign-on into projects, as administrators say of each project',
  ),
  OIDC_SCOPES: declare(
    scopes.optional(),
    'none',
    'what the issuer is asked for beside openid email profile, such as groups where it names them by that scope alone',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: declare(
    address('https?', 'http://collector:4318').optional(),
    'none: no traces',
    'where gateways and video workers send traces of calls and tasks, by OTLP over HTTP at its /v1/traces',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: declare(
    headerList.default({}),
    'none',
    'headers of what is sent there, such as authorization=Bearer%20token, separated by commas',
  ),
  OTEL_SERVICE_NAME: declare(
    z.string().min(1).max(128).default('model-gateway'),
    'model-gateway',
    'how traces call gateways and video workers',
  ),
  OTEL_TRACES_SAMPLER_ARG: declare(
    z.coerce
      .number('must be a share from 0 to 1')
      .min(0, 'must be at least 0')
      .max(1, 'must be at most 1')
      .default(1),
    '1',
    'share of the calls and tasks that have a trace, 0 to 1',
  ),
  RESULT_STORE: declare(
    z.enum(['none', 'disk', 's3'], 'must be none, disk or s3').default('none'),
    'none',
    'where copies of finished videos, images that are answered by address, and results of batches are kept: nowhere (those of batches in Postgres), under DATA_DIR/results, or in a bucket',
  ),
  S3_ENDPOINT: declare(
    address('https?', 'https://s3.eu-central-1.amazonaws.com').optional(),
    'none',
    'address of an S3 service, for RESULT_STORE=s3',
  ),
  S3_REGION: declare(
    z.string().min(1).default('us-east-1'),
    'us-east-1',
    'region that requests to S3 are signed for',
  ),
  S3_BUCKET: declare(z.string().min(1).optional(), 'none', 'bucket that results are kept in'),
  S3_ACCESS_KEY_ID: declare(z.string().min(1).optional(), 'none', 'credential for S3'),
  S3_SECRET_ACCESS_KEY: declare(z.string().min(1).optional(), 'none', 'its secret'),
} as const;

export type EnvironmentName = keyof typeof ENVIRONMENT;
export type Environment = {
  readonly [Name in EnvironmentName]: z.output<(typeof ENVIRONMENT)[Name]['schema']>;
};

/** A wrong environment: the message names each variable and what it wants. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/**
 * Reads and validates the environment. Empty values count as unset.
 *
 * @throws EnvironmentError with one sentence for each wrong variable.
 */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  required: readonly EnvironmentName[] = [],
): Environment {
  const values: Partial<Record<EnvironmentName, unknown>> = {};
  const sentences: string[] = [];
  for (const name of Object.keys(ENVIRONMENT) as EnvironmentName[]) {
    const text = variables[name] === '' ? undefined : variables[name];
    const result = ENVIRONMENT[name].schema.safeParse(text);
    if (!result.success) {
      const issue = result.error.issues[0];
      sentences.push(
        `${name}${issue && issue.path.length > 0 ? pathToName(issue.path) : ''} ${issue?.message ?? 'is wrong'}.`,
      );
    } else if (result.data === undefined && required.includes(name)) {
      sentences.push(`${name} is required: ${ENVIRONMENT[name].meaning}.`);
    } else {
      values[name] = result.data;
    }
  }
  if (sentences.length > 0) throw new EnvironmentError(sentences.join(' '));
  return Object.freeze(values) as Environment;
}
