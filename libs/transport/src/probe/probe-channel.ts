import type { ProbeOutcome } from '@mg/contract';
import { HttpUpstream } from '../upstream/http-upstream.js';
import { callLocally, type LocalReplySource } from '../upstream/local-upstream.js';
import type {
  UpstreamCall,
  UpstreamReply,
  UpstreamRequest,
  UpstreamTimeouts,
} from '../upstream/upstream-call.js';
import { explainAnswer } from './explain-answer.js';

/** A finished request, or an answer that is made in this process. */
export type ProbeTarget =
  | Omit<UpstreamRequest, 'timeouts' | 'streamed'>
  | { readonly answer: (signal: AbortSignal) => LocalReplySource };

const MOST_BYTES = 64 * 1024;

/**
 * Asks a channel's upstream for a few tokens, over the same client as real calls: redirects are not followed. Never throws.
 *
 * @param installation name that the request carries, so that a channel which points back here is recognised.
 */
export async function probeChannel(
  target: ProbeTarget,
  timeouts: UpstreamTimeouts,
  installation: string,
): Promise<ProbeOutcome> {
  const startedAt = performance.now();
  const http = new HttpUpstream(installation);
  const outcome = (ok: boolean, status: number | null, message: string): ProbeOutcome => ({
    ok,
    latency_ms: Math.round(performance.now() - startedAt),
    status,
    message,
  });
  try {
    const call =
      'answer' in target ? callLocally(target.answer) : http.call({ ...target, streamed: false, timeouts });
    const reply = await call.reply;
    const text = await readText(call, reply);
    const ok = reply.status >= 200 && reply.status < 300;
    return outcome(ok, reply.status, ok ? 'The upstream answered.' : explainAnswer(reply.status, text));
  } catch (error) {
    return outcome(false, null, error instanceof Error ? `${error.message}.` : 'The call failed.');
  } finally {
    await http.close();
  }
}

/** The answer's text, cut off where it gets long. */
function readText(call: UpstreamCall, reply: UpstreamReply): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    reply.read({
      data(chunk) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= MOST_BYTES) return;
        resolve(Buffer.concat(chunks).toString('utf8'));
        call.abort();
      },
      end: () => resolve(Buffer.concat(chunks).toString('utf8')),
      fail: (failure) => reject(failure),
    });
  });
}
