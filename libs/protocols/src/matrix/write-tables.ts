import { isObject, type JsonObject } from '../json.js';
import { listReaders, listUpstreams } from './convert-answer.js';
import { findLanding, listClients } from './convert-request.js';
import {
  ALL_WIRES,
  type AnswerRow,
  type Landing,
  Refused,
  type RequestRow,
  Warned,
  type Wire,
  WIRES,
} from './row.js';
import { STREAM_ROWS } from './streams.js';
import { ANSWER_SECTIONS, REQUEST_SECTIONS } from './sections.js';

const MAX_LEAVES = 2;
const MAX_VALUE_LENGTH = 32;
/** Members that say nothing about a concept, as `path: value`. */
const PLAIN = /(?:^|\.)role: |\.type: "(?:text|input_text|output_text|function|message)"$|: "Hi"$/;

/** The tables of all concepts: who has words for each, and what becomes of it. */
export function writeTables(): string {
  const requests = Object.entries(REQUEST_SECTIONS).map(([title, rows]) =>
    writeTable(title, 'said by clients of', rows.map(writeRequestRow)),
  );
  const answers = Object.entries(ANSWER_SECTIONS).map(([title, rows]) =>
    writeTable(title, 'said by upstreams of', rows.map(writeAnswerRow)),
  );
  return [...requests, ...answers, writeStreams()].join('');
}

function writeStreams(): string {
  const rows = STREAM_ROWS.map(({ concept, ends, goldens }) => [
    concept,
    `told as ${ends === 'failure' ? 'a failure' : 'an answer'}`,
    ...ALL_WIRES.map((wire) => (goldens[wire] ?? []).map((golden) => `\`${golden}\``).join(', ')),
  ]);
  return writeTable('Oddities of streams, by their goldens', 'to every client', rows);
}

function writeTable(title: string, says: string, rows: readonly (readonly string[])[]): string {
  const head = ['concept', says, ...ALL_WIRES.map((wire) => WIRES[wire])];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  return `\n### ${title}\n\n${lines.join('')}`;
}

function writeRequestRow(row: RequestRow): readonly string[] {
  return [row.concept, nameAll(listClients(row)), ...ALL_WIRES.map((wire) => tell(findLanding(row, wire)))];
}

function writeAnswerRow(row: AnswerRow): readonly string[] {
  const readers = listReaders(row);
  const cells = ALL_WIRES.map((wire) =>
    readers.includes(wire) ? tell(row.to?.[wire] ?? row.said?.[wire] ?? {}) : 'as far as there are words',
  );
  return [row.concept, nameAll(listUpstreams(row)), ...cells];
}

function nameAll(wires: readonly Wire[]): string {
  return wires.map((wire) => WIRES[wire]).join(', ');
}

function tell(landing: Landing): string {
  if (landing instanceof Refused) return 'refused';
  if (landing instanceof Warned) {
    const left = landing.fields.map((field) => `\`${field}\``).join(', ');
    return [summarise(landing.body), `without ${left}`].filter((part) => part !== '').join('; ');
  }
  return summarise(landing) || 'carried';
}

/** The first members of a part of a body, by path and value. */
function summarise(body: JsonObject): string {
  const leaves = listLeaves(body, '').filter((leaf) => !PLAIN.test(leaf));
  const shown = leaves.slice(0, MAX_LEAVES).map((leaf) => `\`${leaf}\``);
  return leaves.length > MAX_LEAVES ? `${shown.join(', ')}, ...` : shown.join(', ');
}

function listLeaves(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => listLeaves(item, `${path}[${index}]`));
  }
  if (!isObject(value)) return [`${path}: ${shorten(value)}`];
  return Object.entries(value).flatMap(([key, item]) =>
    listLeaves(item, path === '' ? key : `${path}.${key}`),
  );
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value).replaceAll('|', '\\|').replaceAll('`', "'");
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}...` : text;
}
