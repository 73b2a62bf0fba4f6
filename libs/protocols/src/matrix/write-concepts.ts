import { isObject, type JsonObject } from '../json.js';
import { listReaders, listUpstreams } from './convert-answer.js';
import { findDestination, listClients } from './convert-request.js';
import {
  ALL_WIRES,
  type AnswerRow,
  type Destination,
  Refused,
  type RequestRow,
  Warned,
  type Wire,
  WIRES,
} from './row.js';
import { STREAM_ROWS, type StreamRow } from './streams.js';
import { ANSWER_SECTIONS, REQUEST_SECTIONS } from './sections.js';
import { type Concept, writeSection } from './write-list.js';

const MAX_LEAVES = 2;
const MAX_VALUE_LENGTH = 32;
/** Members that say nothing about a concept, as `path: value`. */
const PLAIN = /(?:^|\.)role: |\.type: "(?:text|input_text|output_text|function|message)"$|: "Hi"$/;

/** All concepts: who has words for each, and what becomes of it. */
export function writeConcepts(): string {
  const requests = Object.entries(REQUEST_SECTIONS).map(([title, rows]) =>
    writeSection(title, rows.map(describeRequest)),
  );
  const answers = Object.entries(ANSWER_SECTIONS).map(([title, rows]) =>
    writeSection(title, rows.map(describeAnswer)),
  );
  const streams = writeSection('Oddities of streams, by their goldens', STREAM_ROWS.map(describeStream));
  return [...requests, ...answers, streams].join('');
}

function describeStream({ concept, ends, goldens }: StreamRow): Concept {
  const summary = `Reported to every client as ${ends === 'failure' ? 'a failure' : 'an answer'}.`;
  return describe(concept, summary, (wire) =>
    (goldens[wire] ?? []).map((golden) => `\`${golden}\``).join(', '),
  );
}

function describeRequest(row: RequestRow): Concept {
  return describe(row.concept, `Said by clients of ${nameAll(listClients(row))}.`, (wire) =>
    writeDestination(findDestination(row, wire)),
  );
}

function describeAnswer(row: AnswerRow): Concept {
  const readers = listReaders(row);
  return describe(row.concept, `Said by upstreams of ${nameAll(listUpstreams(row))}.`, (wire) =>
    readers.includes(wire)
      ? writeDestination(row.to?.[wire] ?? row.said?.[wire] ?? {})
      : 'as far as there are words',
  );
}

function describe(title: string, says: string, outcome: (wire: Wire) => string): Concept {
  const outcomes = ALL_WIRES.map((wire) => ({ protocol: WIRES[wire], outcome: outcome(wire) }));
  return { title, says, outcomes };
}

function nameAll(wires: readonly Wire[]): string {
  return wires.map((wire) => WIRES[wire]).join(', ');
}

function writeDestination(landing: Destination): string {
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
