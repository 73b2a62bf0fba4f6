/** Why a job API refuses an order; each dialect has words of its own for it. */
export type RefusalReason =
  | 'bad-parameter'
  | 'content-policy'
  | 'wrong-key'
  | 'no-funds'
  | 'model-unknown'
  | 'rate-limited'
  | 'overloaded';

/** What happens to the request that orders a job. `accepts` says whether the job was made all the same. */
export type SubmitFailure =
  | { readonly kind: 'refuse'; readonly reason: RefusalReason }
  | { readonly kind: 'reply'; readonly status: number; readonly text: string; readonly accepts: boolean }
  | { readonly kind: 'hang' | 'drop'; readonly accepts: boolean };

/** What one poll reports; `strange` is a word that no table has, `no-output` a success without a video. */
export type PollStep =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'strange'
  | 'no-output'
  | 'drop'
  | { readonly status: number; readonly text: string };

/** How one job goes. Every part is optional. */
export interface JobBehaviour {
  readonly submit?: SubmitFailure;
  /** One answer a poll; the last one stays. By default: queued, running, succeeded. */
  readonly polls?: readonly PollStep[];
  /** Awaited before the order is answered: a delay, or a gate that the test opens. */
  readonly wait?: () => Promise<unknown>;
}

const BROKEN = '{"error":{"code":"InternalServiceError","message":"The service met an unexpected error."}}';
const PAGE = '<html><head><title>Error</title></head><body><center>nginx</center></body></html>';
const BUSY = { status: 503, text: BROKEN };

function refuse(reason: RefusalReason): JobBehaviour {
  return { submit: { kind: 'refuse', reason } };
}

/**
 * Behaviours by name. A name stands as the upstream model, behind one (`kling-v3--fails`), or in the prompt, as
 * `behaviour:fails`. Any other order is made in three polls.
 */
const JOB_BEHAVIOURS: Readonly<Record<string, JobBehaviour>> = {
  'refuse-400': refuse('bad-parameter'),
  'refuse-policy': refuse('content-policy'),
  'refuse-401': refuse('wrong-key'),
  'refuse-402': refuse('no-funds'),
  'refuse-404': refuse('model-unknown'),
  'refuse-429': refuse('rate-limited'),
  'refuse-503': refuse('overloaded'),

  'break-500-made': { submit: { kind: 'reply', status: 500, text: PAGE, accepts: true } },
  'break-500-unmade': { submit: { kind: 'reply', status: 500, text: BROKEN, accepts: false } },
  'break-502-made': { submit: { kind: 'reply', status: 502, text: PAGE, accepts: true } },
  'garbage-made': { submit: { kind: 'reply', status: 200, text: 'OK', accepts: true } },
  'hang-made': { submit: { kind: 'hang', accepts: true } },
  'hang-unmade': { submit: { kind: 'hang', accepts: false } },
  'drop-made': { submit: { kind: 'drop', accepts: true } },
  'drop-unmade': { submit: { kind: 'drop', accepts: false } },

  'done-at-once': { polls: ['succeeded'] },
  slow: { polls: [...Array.from({ length: 10 }, () => 'running' as const), 'succeeded'] },
  'never-ends': { polls: ['queued', 'running'] },
  fails: { polls: ['queued', 'running', 'failed'] },
  expires: { polls: ['queued', 'expired'] },
  cancels: { polls: ['queued', 'cancelled'] },
  strange: { polls: ['queued', 'strange', 'strange', 'succeeded'] },
  'no-output': { polls: ['running', 'no-output'] },
  'poll-503': { polls: [BUSY, 'running', BUSY, BUSY, 'succeeded'] },
  'poll-404': { polls: ['running', { status: 404, text: '{"error":{"code":"NotFound","message":"?"}}' }] },
  'poll-garbage': { polls: [{ status: 200, text: '<html>' }, 'running', 'succeeded'] },
  'poll-drops': { polls: ['drop', 'running', 'drop', 'succeeded'] },
};

/** The behaviour that an order names by its model or in its prompt; the ordinary one otherwise. */
export function findJobBehaviour(model: string, prompt: string): JobBehaviour {
  const inPrompt = /\bbehaviour:([a-z0-9-]+)/.exec(prompt)?.[1] ?? '';
  return (
    JOB_BEHAVIOURS[model] ?? JOB_BEHAVIOURS[model.split('--').at(-1) ?? ''] ?? JOB_BEHAVIOURS[inPrompt] ?? {}
  );
}
