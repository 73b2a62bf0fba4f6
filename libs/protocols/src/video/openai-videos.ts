import { isAscii } from 'node:buffer';
import { omitUndefined, type Task } from '@mg/contract';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import type { FormPart } from '../exchange/exchange.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { encodeBase64InSlices } from '../standard-base64.js';
import { readFormValue } from './read-form-value.js';
import { inputReference, videoRemixRequest } from './request-schema.js';
import { type TaskLinks, toUnixSeconds } from './task-answer.js';
import { writeGenericTask } from './write-generic-task.js';

/** What OpenAI makes by default. */
const DEFAULT_SECONDS = '4';
/** What a task keeps of a remix's source beside its provider's job: our id of it. */
export const REMIXED_FROM = 'remixed_from';
/** Of a field, which is decoded in one step. */
const LONGEST_TEXT = 256 * 1024;
/** Of a picture as a `data:` URL in a field. */
const LONGEST_ADDRESS = 1024 * 1024;
const IMAGE_TYPE = /^image\/[\w.+-]+$/;

/**
 * An order of OpenAI's video API as the same order of the generic one: the SDK sends forms, others JSON.
 *
 * @returns the members of a generic order.
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://platform.openai.com/docs/api-reference/videos/create
 */
export function readOpenAiVideo(fields: JsonObject): JsonObject {
  const { input_reference: reference, ...order } = fields;
  const image = reference === undefined || reference === null ? {} : { image: readReference(reference) };
  const saysDuration = order.duration !== undefined && order.duration !== null;
  return { ...omitUndefined({ seconds: saysDuration ? undefined : DEFAULT_SECONDS }), ...order, ...image };
}

/**
 * The prompt of a remix: everything else is that of its source, and a field that says otherwise could change the price.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://platform.openai.com/docs/api-reference/videos/remix
 */
export function readRemixPrompt(body: Buffer): string {
  const parsed = parseRequestBody(body);
  const { prompt } = validate(videoRemixRequest, parsed);
  const other = Object.keys(parsed).find((name) => name !== 'prompt');
  if (other !== undefined) refuseField(other, 'is not a field of a remix');
  return prompt;
}

/**
 * The members that the fields of a form stand for: whole numbers and flags come as texts.
 *
 * @param pause is waited for between two steps, none of which takes long.
 * @throws GatewayError `invalid_request` naming the field.
 */
export async function readVideoForm(
  parts: readonly FormPart[],
  pause: () => Promise<void>,
): Promise<JsonObject> {
  const fields: Record<string, unknown> = {};
  for (const { name, filename, contentType = '', bytes } of parts) {
    if (!Buffer.isBuffer(bytes)) refuseField(name, 'is too large');
    await pause();
    if (filename === undefined) fields[name] = readFormValue(name, readText(name, bytes));
    else if (name === 'input_reference' && IMAGE_TYPE.test(contentType)) {
      fields[name] = await encodeBase64InSlices(bytes, pause, `data:${contentType};base64,`);
    } else refuseField(name, 'must be an image');
  }
  const url = fields['input_reference[image_url]'];
  return url === undefined ? fields : { ...fields, input_reference: url };
}

/** Only an address may be long: its bytes are ASCII, which takes a tenth of the time of other text. */
function readText(name: string, bytes: Buffer): string {
  if (bytes.length <= LONGEST_TEXT) return bytes.toString('utf8');
  if (bytes.length > LONGEST_ADDRESS || !isAscii(bytes)) {
    refuseField(name, `must be an address of at most ${LONGEST_ADDRESS} bytes`);
  }
  return bytes.toString('latin1');
}

function readReference(reference: unknown): string {
  const read = validate(inputReference, reference, 'input_reference');
  return typeof read === 'string' ? read : read.image_url;
}

/** A task as OpenAI's video API shows it. Every field is there, for SDKs that count on it. */
export function writeOpenAiVideo(task: Task, links: TaskLinks | undefined): JsonObject {
  const order = parseObject(task.order) ?? {};
  const shown = writeGenericTask(task, { links });
  return {
    ...shown,
    progress: shown.progress ?? 0,
    completed_at: shown.completed_at ?? null,
    expires_at: shown.expires_at ?? null,
    created_at: toUnixSeconds(task.createdAt),
    error: shown.error ?? null,
    prompt: typeof order.prompt === 'string' ? order.prompt : null,
    remixed_from_video_id: readRemixedFrom(task, order),
    seconds: String(task.seconds),
    size: nameSize(order.size),
  };
}

/** The order says it until a provider has the job, which keeps it from then on. */
function readRemixedFrom({ upstreamData }: Task, { remixOf }: JsonObject): string | null {
  const id = isObject(remixOf) ? remixOf.videoId : upstreamData[REMIXED_FROM];
  return typeof id === 'string' ? id : null;
}

function nameSize(size: unknown): string | null {
  return isObject(size) ? `${String(size.width)}x${String(size.height)}` : null;
}
