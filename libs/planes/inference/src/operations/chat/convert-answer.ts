import {
  type CanonicalReply,
  type ChatProtocol,
  cutReply,
  type JsonObject,
  keepIntegers,
  limitCitations,
  limitReply,
  readReplyArgumentsInSlices,
  type ReplyContext,
  runInSlices,
  stringifyInSlices,
  type UpstreamProtocol,
  writeArgumentsInSlices,
} from '@mg/protocols';
import { isOneStep, nextTurn } from '../../edge/loop-turns.js';

/** From which protocol to which an answer is converted. */
interface Conversion {
  readonly upstream: UpstreamProtocol;
  readonly client: ChatProtocol;
  readonly context: ReplyContext;
  /** Strings at which the answer is cut. */
  readonly stops: readonly string[];
}

/**
 * A whole answer in its client's protocol, as JSON. What is not short is converted in turns of the event loop of their own.
 *
 * @param parsed the same answer, parsed.
 * @throws GatewayError `upstream_error` where it is none, or holds more than is converted.
 */
export async function convertAnswer(
  bytes: Buffer,
  parsed: JsonObject,
  { upstream, client, context, stops }: Conversion,
): Promise<Buffer> {
  const cut = async (reply: CanonicalReply) => limitCitations(await cutReply(reply, stops, nextTurn));
  const { codec } = client;
  // Parsing up to 512 KB of thousands of names has taken some milliseconds of this turn.
  if (!isOneStep(bytes.length)) await nextTurn();
  const decoded = await decodeAnswer(keepIntegers(bytes, parsed), bytes.length, upstream);
  if (isOneStep(bytes.length)) {
    return Buffer.from(JSON.stringify(codec.encodeReply(await cut(decoded), context)));
  }
  await nextTurn();
  const takesObjects = client.takesObjects ?? hasWrappedTools(context);
  const reply = await readReplyArgumentsInSlices(decoded, nextTurn, { takesObjects });
  const logprobs = reply.choices.flatMap((choice) => (choice.logprobs ? [choice.logprobs] : []));
  await client.logprobs?.writing.note(logprobs, nextTurn);
  await nextTurn();
  const said = await cut(reply);
  const encoded = codec.encodeReplyInSteps
    ? await runInSlices(codec.encodeReplyInSteps(said, context), nextTurn)
    : codec.encodeReply(said, context);
  await nextTurn();
  return stringifyInSlices(encoded, nextTurn);
}

/**
 * Decodes an answer after the arguments that it carries as objects were written, and its likelihoods read, in turns of the event loop of their own.
 *
 * @param bytes of the answer.
 * @throws GatewayError `upstream_error` where it is none, or holds more than is converted.
 */
async function decodeAnswer(
  answer: JsonObject,
  bytes: number,
  upstream: UpstreamProtocol,
): Promise<CanonicalReply> {
  const { codec } = upstream;
  if (isOneStep(bytes)) return limitReply(codec.decodeReply(answer));
  await writeArgumentsInSlices(upstream.listAnswerInputs?.(answer) ?? [], nextTurn);
  await upstream.logprobs?.reading.note(upstream.logprobs.list(answer), nextTurn);
  const decoded = codec.decodeReplyInSteps
    ? await runInSlices(codec.decodeReplyInSteps(answer), nextTurn)
    : codec.decodeReply(answer);
  return limitReply(decoded);
}

/** Whether a client reads what some of its tools get out of the JSON of their arguments. */
function hasWrappedTools({ toolOrigins }: ReplyContext): boolean {
  return [...(toolOrigins?.values() ?? [])].some(({ kind }) => kind !== 'function');
}
