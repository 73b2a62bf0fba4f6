import type { JsonObject } from '@mg/protocols';
import { acceptJob, explainUnclear, judgeSubmit, readInner, tellWord } from '../job-verdict.js';
import type { FateTable, SaidError } from '../job-verdict.js';
import type { JobCall, JobReply, PollVerdict, SubmitVerdict, UpstreamJob } from '../job-surface.js';

const FATES: FateTable = {
  queued: 'submitted',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
};

const USUAL_RATE = 24;

/** Links of results die after 24 hours. */
const LINK_LIFE_MS = 24 * 60 * 60 * 1_000;

export function readSubmit(reply: JobReply): SubmitVerdict {
  const id = reply.json?.id;
  if (reply.status < 300 && typeof id === 'string' && id !== '') return acceptJob(id);
  return judgeSubmit(reply, readSaid(reply), { AccountOverdueError: 'credential' });
}

/** @see https://www.volcengine.com/docs/82379/1521309 */
export function readPoll(reply: JobReply, _job: UpstreamJob, call: JobCall): PollVerdict {
  const { json } = reply;
  if (reply.status >= 300 || json?.status === undefined) return explainUnclear(reply, readSaid(reply));
  const content = readInner(json, 'content');
  const error = readInner(json, 'error');
  const lastFrameUrl = content?.last_frame_url;
  return tellWord(FATES, json.status, {
    url: content?.video_url,
    seconds: readSeconds(json),
    code: error?.code,
    message: error?.message,
    result: {
      expiresAt: call.nowMs + LINK_LIFE_MS,
      native: json,
      ...(typeof lastFrameUrl === 'string' ? { lastFrameUrl } : {}),
    },
  });
}

/** A length is told in seconds, or in pictures where the order counted those. */
function readSeconds({ duration, frames, framespersecond }: JsonObject): unknown {
  if (duration !== undefined || typeof frames !== 'number') return duration;
  return Math.ceil(frames / (typeof framespersecond === 'number' ? framespersecond : USUAL_RATE));
}

function readSaid({ json }: JobReply): SaidError | undefined {
  const error = readInner(json, 'error');
  if (typeof error?.code !== 'string') return undefined;
  const { code, message, param } = error;
  return {
    code,
    message: typeof message === 'string' ? message : code,
    ...(typeof param === 'string' && param !== '' ? { param } : {}),
  };
}
