import { errorBody } from '../failures.js';
import { isObject, type Json, parseJson } from '../json.js';

const ENDPOINTS = [
  '/v1/responses',
  '/v1/chat/completions',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
];
const FIELDS = ['input_file_id', 'endpoint', 'completion_window', 'metadata', 'output_expires_after'];
const FILE_FIELDS = ['purpose', 'file', 'expires_after[anchor]', 'expires_after[seconds]'];
const MOST_METADATA = 16;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 512;
const SHORTEST_EXPIRY = 3_600;
const LONGEST_EXPIRY = 2_592_000;
const MOST_LINES = 50_000;

/** What the upstream refuses, as OpenAI does. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly param: string | null,
  ) {
    super(message);
  }

  get body(): unknown {
    return errorBody(this.message, 'invalid_request_error', null, this.param);
  }
}

export interface RequestLine {
  readonly customId: string;
  readonly body: Json;
}

/** @throws Refused */
export function readFileOrder(form: ReadonlyMap<string, readonly (string | File)[]>) {
  for (const name of form.keys()) {
    if (!FILE_FIELDS.includes(name)) throw new Refused(400, `Unknown parameter: '${name}'.`, name);
  }
  const [file] = form.get('file') ?? [];
  if (!(file instanceof File)) throw new Refused(400, "'file' is a required property", 'file');
  if (form.get('purpose')?.[0] !== 'batch')
    throw new Refused(400, "'purpose' is a required property", 'purpose');
  if (!file.name.endsWith('.jsonl')) {
    throw new Refused(400, 'Invalid file format. Batch API only supports .jsonl files', 'file');
  }
  const [anchor] = form.get('expires_after[anchor]') ?? [];
  if (anchor === undefined) return { name: file.name, bytes: file.size };
  const seconds = Number(form.get('expires_after[seconds]')?.[0]);
  checkExpiry({ anchor, seconds }, 'expires_after');
  return { name: file.name, bytes: file.size, expiresAfter: seconds };
}

/** @throws Refused */
export function readBatchOrder(body: unknown) {
  if (!isObject(body)) throw new Refused(400, 'We could not parse the JSON body of your request.', null);
  for (const name of Object.keys(body)) {
    if (!FIELDS.includes(name)) throw new Refused(400, `Unknown parameter: '${name}'.`, name);
  }
  const {
    input_file_id: inputFileId,
    endpoint,
    completion_window,
    metadata = {},
    output_expires_after,
  } = body;
  if (typeof inputFileId !== 'string') {
    throw new Refused(400, "Missing required parameter: 'input_file_id'.", 'input_file_id');
  }
  if (typeof endpoint !== 'string' || !ENDPOINTS.includes(endpoint)) {
    throw new Refused(400, `Invalid value: '${String(endpoint)}'.`, 'endpoint');
  }
  if (completion_window !== '24h')
    throw new Refused(400, "Invalid value. Supported: '24h'.", 'completion_window');
  if (!isObject(metadata)) throw new Refused(400, "Invalid type for 'metadata'.", 'metadata');
  checkMetadata(metadata);
  if (output_expires_after !== undefined) checkExpiry(output_expires_after, 'output_expires_after');
  return { inputFileId, endpoint, metadata };
}

function checkMetadata(metadata: Json): void {
  const pairs = Object.entries(metadata);
  const isFine = pairs.every(
    ([key, value]) => key.length <= LONGEST_KEY && typeof value === 'string' && value.length <= LONGEST_VALUE,
  );
  if (!isFine || pairs.length > MOST_METADATA) throw new Refused(400, "Invalid 'metadata'.", 'metadata');
}

function checkExpiry(value: unknown, param: string): void {
  const { anchor, seconds } = isObject(value) ? value : {};
  const isFine = typeof seconds === 'number' && seconds >= SHORTEST_EXPIRY && seconds <= LONGEST_EXPIRY;
  if (anchor !== 'created_at' || !isFine) throw new Refused(400, `Invalid '${param}'.`, param);
}

/** The requests of a file, or what is wrong with its lines. */
export function readRequests(text: string, endpoint: string) {
  const lines: RequestLine[] = [];
  const errors: Json[] = [];
  const texts = text.split('\n').filter((line) => line.trim() !== '');
  const refuse = (line: number, code: string, param: string | null, message: string) =>
    errors.push({ code, line: line + 1, message, param });
  if (texts.length === 0 || texts.length > MOST_LINES)
    refuse(-1, 'invalid_file', null, 'The file is empty or too long.');
  let model: unknown;
  for (const [index, one] of texts.entries()) {
    const read = parseJson(one);
    if (!read) {
      refuse(index, 'invalid_json_line', null, 'This line is not parseable as valid JSON.');
      continue;
    }
    const { custom_id, method, url, body } = read;
    if (typeof custom_id !== 'string' || lines.some(({ customId }) => customId === custom_id)) {
      refuse(index, 'duplicate_custom_id', 'custom_id', 'The custom_id is missing or that of another line.');
    } else if (method !== 'POST') refuse(index, 'invalid_method', 'method', 'Only POST is supported.');
    else if (url !== endpoint)
      refuse(index, 'mismatched_endpoint', 'url', 'The URL is not the endpoint of the batch.');
    else if (!isObject(body)) refuse(index, 'invalid_body', 'body', 'The body is no object.');
    else if (body['stream'] === true)
      refuse(index, 'invalid_request', 'body.stream', 'Batches do not stream.');
    else if ((model ??= body['model']) !== body['model']) {
      refuse(index, 'mismatched_model', 'body.model', 'All requests of a batch name one model.');
    } else lines.push({ customId: custom_id, body });
  }
  return { lines, errors };
}
