import { BILLING_PATTERN, GATEWAY_PATTERN } from '@mg/contract';
import { TASK_QUEUE } from '../queue/task-queue.js';

/** What a plane may do in Redis: keys and channels behind the installation's name, in the words of ACL rules, the later before the earlier: https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/ */
export interface RedisRules {
  readonly commands: readonly string[];
  readonly keys: readonly string[];
  readonly channels: readonly string[];
}

export type RedisUser = 'gateway' | 'billing' | 'video-worker' | 'console';

/** Opening and closing a connection; INFO is how a client knows that the server has read its data. */
const CONNECTION = ['+auth', '+hello', '+select', '+ping', '+quit', '+info', '+client|setname'];
const RPC_CLIENT = ['+publish', '+subscribe', '+unsubscribe'];
const RPC_SERVER = [...RPC_CLIENT, '+set'];
/** BullMQ works by scripts, whose commands are checked like any other's: those on its own keys, and the clock. */
const QUEUE = [
  '+@read',
  '+@write',
  '-@dangerous',
  '-@scripting',
  '-scan',
  '-randomkey',
  '-dbsize',
  '+eval',
  '+evalsha',
  '+script|exists',
  '+script|load',
  '+multi',
  '+exec',
  '+time',
];
/** Names begin with the installation, whose name these rules need not know. */
const ANY_INSTALLATION = `mg:${'?'.repeat(16)}:`;
const QUEUE_KEYS = `${TASK_QUEUE}:*`;

const {
  holdOpen,
  leaseOpen,
  leaseReturn,
  taskOpen,
  taskCharge,
  taskEnd,
  heartbeat,
  ping,
  topUp,
  walletOpen,
  creditLimit,
} = BILLING_PATTERN;
/** Replies of billing; each client has a channel of its own, whose name nobody can guess. */
const BILLING_REPLIES = 'billing.reply.*';
const GATEWAY_REPLIES = 'gateway.reply.*';

/** Every plane and what it really does: whoever takes one over can send billing that plane's requests and no others. */
export const REDIS_RULES: Readonly<Record<RedisUser, RedisRules>> = {
  gateway: {
    commands: [...QUEUE, ...RPC_SERVER, ...CONNECTION],
    keys: [QUEUE_KEYS, 'claim:gateway:*', 'limit:*'],
    channels: [
      holdOpen,
      leaseOpen,
      leaseReturn,
      taskOpen,
      taskEnd,
      heartbeat,
      ping,
      BILLING_REPLIES,
      ...Object.values(GATEWAY_PATTERN),
      GATEWAY_REPLIES,
    ],
  },
  billing: {
    commands: [...RPC_SERVER, ...CONNECTION],
    keys: ['claim:billing:*'],
    channels: [...Object.values(BILLING_PATTERN), BILLING_REPLIES],
  },
  'video-worker': {
    commands: [...QUEUE, ...RPC_CLIENT, ...CONNECTION],
    // A submit takes from the rates of its channel; nobody else's limits are its business.
    keys: [QUEUE_KEYS, 'limit:channel:*'],
    channels: [taskCharge, taskEnd, ping, BILLING_REPLIES],
  },
  console: {
    commands: [...RPC_CLIENT, ...CONNECTION],
    keys: [],
    channels: [
      topUp,
      creditLimit,
      walletOpen,
      ping,
      BILLING_REPLIES,
      ...Object.values(GATEWAY_PATTERN),
      GATEWAY_REPLIES,
    ],
  },
};

/** A user's rules in one list, from nothing: `ACL SETUSER <name> on <password> ...`. */
export function listRules(user: RedisUser): string[] {
  const { commands, keys, channels } = REDIS_RULES[user];
  return [
    'resetkeys',
    'resetchannels',
    '-@all',
    ...keys.map((pattern) => `~${ANY_INSTALLATION}${pattern}`),
    ...channels.map((pattern) => `&${ANY_INSTALLATION}${pattern}`),
    ...new Set(commands),
  ];
}
