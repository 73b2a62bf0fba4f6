import { ENVIRONMENT } from '@mg/contract';
import type { ComposeVariable } from './read-compose.js';

/** What the compose file takes for services that are not ours, or for what the configuration file names. */
const OF_THE_STACK: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'of the owner of the database, who migrates it; no plane has it',
  REDIS_PASSWORD: 'of the administrator of Redis; no plane has it',
  GATEWAY_REDIS_PASSWORD: 'of the gateway plane in Redis',
  BILLING_REDIS_PASSWORD: 'of the billing plane in Redis',
  VIDEO_WORKER_REDIS_PASSWORD: 'of the video worker in Redis',
  CONSOLE_REDIS_PASSWORD: 'of the Console in Redis',
  ADMIN_PASSWORD: 'of the first login to the Console, admin@example.com',
  FIRST_API_KEY: 'the first key for callers',
  GRAFANA_PASSWORD: 'of the user admin of Grafana',
  INGRESS_LISTEN:
    'where the ingress listens: address and port of this machine, and 8080 for HTTP or 8443 for HTTPS, such as 0.0.0.0:443:8443',
  INGRESS_MODE: 'plain or tls: tls wants deploy/ingress/tls/fullchain.pem and privkey.pem',
  CONSOLE_LISTEN: 'where the Console listens, in plain HTTP',
  IMAGE_TAG: 'which images of the planes run: deploy/compose/upgrade.sh goes from one to another',
  OPENAI_API_KEY: "makes a channel with OpenAI's current models appear",
  ANTHROPIC_API_KEY: "makes a channel with Anthropic's current models appear",
  GEMINI_API_KEY: "makes a channel with Gemini's current models appear",
  ARK_API_KEY: "makes a channel with Ark's current video models appear",
};

interface Group {
  readonly title: string;
  readonly holds: (variable: ComposeVariable) => boolean;
}

/** In their order; a variable is of the first group that holds it. */
const GROUPS: readonly Group[] = [
  { title: 'Passwords in Postgres', holds: ({ name }) => /^POSTGRES_|_DATABASE_PASSWORD$/.test(name) },
  { title: 'Passwords in Redis', holds: ({ name }) => /^REDIS_|_REDIS_PASSWORD$/.test(name) },
  { title: 'Secrets of the planes, and of those who enter', holds: ({ message }) => message !== undefined },
  { title: 'Secrets while they are rotated', holds: ({ name }) => name.endsWith('_PREVIOUS') },
  { title: 'Providers', holds: ({ name }) => name.endsWith('_API_KEY') },
  { title: 'The result store', holds: ({ name }) => /^RESULT_STORE$|^S3_/.test(name) },
  { title: 'Everything else', holds: () => true },
];

const HEAD = `# What docker-compose.yml wants to know: docs/deployment.md. This makes a .env in which every password is there, each its own:
# (umask 077; set -C; awk '/^[A-Z_]+=(sk-)?$/ { c = "openssl rand -hex 32"; c | getline s; close(c); $0 = $0 s } { print }' .env.example > .env)
# Letters and digits only: passwords stand in addresses. The file is made of the declared environment and of the compose file:
# UPDATE_GOLDENS=1 npx vitest run --project unit tools/src/deploy`;

/** The file \`.env.example\`: what must be set stands empty, what may be set stands commented out with its default. */
export function writeEnvExample(variables: readonly ComposeVariable[]): string {
  const byGroup = Map.groupBy(variables, (variable) => GROUPS.find(({ holds }) => holds(variable)));
  const groups = GROUPS.flatMap((group) => {
    const members = byGroup.get(group);
    return members ? [`# ---- ${group.title} ----`, ...members.map(writeVariable)] : [];
  });
  return `${[HEAD, ...groups].join('\n\n')}\n`;
}

function writeVariable({ name, message, fallback }: ComposeVariable): string {
  const hint = /^set \w+ to (\d.+)$/.exec(message ?? '')?.[1];
  const meaning = hint === undefined ? meaningOf(name) : `${meaningOf(name)}; ${hint}`;
  const line = message === undefined ? `# ${name}=${fallback ?? ''}` : `${name}=${prefixOf(name)}`;
  return `# ${meaning}\n${line}`;
}

/** @throws Error for a variable that nobody has explained. */
function meaningOf(name: string): string {
  const meaning = OF_THE_STACK[name] ?? ENVIRONMENT[name as keyof typeof ENVIRONMENT]?.meaning;
  if (meaning === undefined) throw new Error(`Say in write-env-example.ts what ${name} is.`);
  return meaning;
}

function prefixOf(name: string): string {
  return name === 'FIRST_API_KEY' ? 'sk-' : '';
}
