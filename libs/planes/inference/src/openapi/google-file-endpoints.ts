import { GOOGLE_FILE_PAGE } from '../edge/page-sizes.js';
import { count, type Endpoint, json, type Parameter, text } from './endpoint.js';

const FILES = '/v1beta/files';
const FILE_ID: Parameter = { name: 'file_id', in: 'path', required: true, schema: text };
const UPLOAD_HEADERS: readonly Parameter[] = [
  { name: 'X-Goog-Upload-Protocol', in: 'header', schema: { ...text, enum: ['resumable'] } },
  {
    name: 'X-Goog-Upload-Command',
    in: 'header',
    required: true,
    schema: text,
    description:
      '`start`; at the address of an upload `upload`, `upload, finalize`, `finalize`, `query`, `cancel`.',
  },
  {
    name: 'X-Goog-Upload-Header-Content-Length',
    in: 'header',
    schema: { ...text, pattern: String.raw`^\d{1,15}$` },
    description: 'Bytes of the file; with `start`.',
  },
  { name: 'X-Goog-Upload-Header-Content-Type', in: 'header', schema: text },
  {
    name: 'X-Goog-Upload-Offset',
    in: 'header',
    schema: { ...text, pattern: String.raw`^\d{1,15}$` },
    description: 'Bytes before those of the body; with `upload`.',
  },
];

/** A larger page is cut to what a page holds at most. */
const MAX_PAGE = 999_999_999;

/** Pages of Google's lists of files, wherever they stand. */
export const GOOGLE_FILE_PARAMETERS: readonly Parameter[] = [
  {
    name: 'pageSize',
    in: 'query',
    schema: count(MAX_PAGE, GOOGLE_FILE_PAGE.usual),
    description: "Of Google's list.",
  },
  {
    name: 'pageToken',
    in: 'query',
    schema: { ...text, pattern: '^[A-Za-z0-9_-]{0,128}$' },
    description: "Of Google's list.",
  },
];

/** Google's documentation downloads at one place, its SDKs at the other. */
const DOWNLOADS = ['v1', 'v1beta'].flatMap((version) => [`/download/${version}/files`, `/${version}/files`]);

/** Google's Files API. Its list and its files stand at OpenAI's paths as well. */
export const GOOGLE_FILE_ENDPOINTS: readonly Endpoint[] = [
  ...['v1', 'v1beta'].map((version): Endpoint => ({
    method: 'post',
    path: `/upload/${version}/files`,
    summary: 'Begins an upload of a file that calls may name, and takes its content; free',
    description:
      'The resumable protocol: the content goes to the address in `x-goog-upload-url`, in chunks of 256 KiB and multiples of it.',
    cost: 'free',
    parameters: [
      { name: 'upload_id', in: 'query', schema: text, description: 'Part of the address of an upload.' },
      ...UPLOAD_HEADERS,
    ],
    request: { 'application/json': 'NewGoogleFile', 'application/octet-stream': undefined },
    answers: { 200: json('An upload that goes on, or its file.', 'GoogleUpload') },
    failures: ['insufficient_balance', 'not_found', 'conflict', 'loop_detected'],
  })),
  ...DOWNLOADS.map((path): Endpoint => ({
    method: 'get',
    path: `${path}/{file_id}:download`,
    summary: 'Results of a batch that came in a file; free',
    cost: 'free',
    parameters: [FILE_ID],
    answers: { 200: { description: 'A result on each line.', content: { 'application/jsonl': undefined } } },
    failures: ['forbidden', 'not_found'],
  })),
  {
    method: 'get',
    path: FILES,
    summary: "The wallet's files that calls may name, newest first; free",
    cost: 'free',
    parameters: GOOGLE_FILE_PARAMETERS,
    answers: { 200: json('A page.', 'GoogleFiles') },
  },
  {
    method: 'get',
    path: `${FILES}/{file_id}`,
    summary: 'What is known of a file; free',
    cost: 'free',
    parameters: [FILE_ID],
    answers: { 200: json('The file.', 'GoogleFile') },
    failures: ['forbidden'],
  },
  {
    method: 'delete',
    path: `${FILES}/{file_id}`,
    summary: 'Deletes a file; free',
    cost: 'free',
    parameters: [FILE_ID],
    answers: { 200: json('It is deleted.', 'NoGoogleFile') },
    failures: ['forbidden'],
  },
];
