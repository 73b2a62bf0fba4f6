import { GatewayError } from '@mg/contract';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseRequestBody } from './canonical/parse-request-body.js';
import { type Billed, type Envelope, ENVELOPES, UPSTREAM_MODEL } from './testing/envelopes.js';
import { isFuzzing, paceOf } from './testing/fuzz-pace.js';
import { JSON_READERS, type JsonReader, parseWritten, type WrittenJson } from './testing/json-readers.js';

/** What clients, attackers and broken software put where a cap, a count or a flag belongs. */
const VALUES: readonly string[] = (
  '1 2 6 77 100 1000000 1e2 1.0 6.0 0.5 -1 1e999 9007199254740993 ' +
  '"5" "6" "dear-model" "slug" "true" "" null true false {} [] [1] {"x":{"x":1,"y":2}}'
).split(' ');
const SPACES = ['', '', ' ', '\n', '\t', ' \r\n  '];
const OTHER_NAMES = [
  'models',
  'x_mine',
  'Caps',
  'temperature',
  'metadata',
  '__proto__',
  'toString',
  'é',
  'top_k',
  'max_new_tokens',
];

/** Ways of writing one name: some are the same name, some only look like it. */
function spell(name: string): string[] {
  const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const escaped = name.replace(
    /[a-z]/,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const odd = [name.replace(/s(?!.*s)/, '\u017f'), name.replace('k', '\u212a'), name.replace('k', '\\u212A')];
  const cases = [
    name.toUpperCase(),
    name.replace(/^./, (letter) => letter.toUpperCase()),
    name.toLowerCase(),
  ];
  return [name, name, name, camel, snake, escaped, ...odd, ...cases].map((text) => `"${text}"`);
}

const oneOf = (list: readonly string[]) => fc.constantFrom(...list);

/** Members around those of a valid body, in any order; a valid one may be replaced or be there again. */
function bodyOf({ valid, reads, config = [] }: Envelope): fc.Arbitrary<string> {
  const read = ['model', ...Object.values(reads).flat(2), ...config];
  const exact = [...read.slice(1), 'x_mine'].map((name) => `"${name}"`);
  const odd = oneOf([...read, ...OTHER_NAMES].flatMap(spell));
  // Most bodies with two odd members are refused; what is taken is worth a closer look.
  const anyName = fc.oneof({ arbitrary: oneOf(exact), weight: 3 }, odd);
  const anyValue = fc.oneof({ arbitrary: oneOf(['1', '2', '6', 'null']), weight: 2 }, oneOf(VALUES));
  const inner = fc
    .array(fc.tuple(anyName, anyValue), { maxLength: 3 })
    .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`);
  const value = config.length > 0 ? fc.oneof(anyValue, inner) : anyValue;
  const kept = Object.entries(valid).map(([name, item]) => [`"${name}"`, JSON.stringify(item)] as const);
  return fc
    .record({
      extra: fc.array(fc.tuple(anyName, value, fc.nat(8)), { maxLength: 4 }),
      left: fc.nat({ max: 15 }),
      space: oneOf(SPACES),
    })
    .map(({ extra, left, space }) => {
      const members: (readonly [string, string])[] = kept.filter((_, index) => index !== left);
      for (const [name, item, at] of extra) members.splice(at % (members.length + 1), 0, [name, item]);
      const text = members.map(([name, item]) => `${space}${name}${space}:${space}${item}${space}`).join(',');
      return `${space}{${text}}${space}`;
    });
}

/** A number as lenient servers take it; `undefined` for none. */
function readNumber(json: WrittenJson | undefined): number | undefined {
  if (json?.kind !== 'other' || json.value === null) return undefined;
  return typeof json.value === 'string' ? Number(json.value) : (json.value as number);
}

function readAll(
  reader: JsonReader,
  json: WrittenJson | undefined,
  groups: readonly (readonly string[])[] = [],
) {
  return groups.map((names) => readNumber(reader.find(json, names))).filter((value) => value !== undefined);
}

/** What a server would do by this body other than what is billed; `undefined` where it does just that. */
function findDifference(sent: string, billed: Billed, { reads, config }: Envelope, reader: JsonReader) {
  const json = parseWritten(sent);
  if (reader.refuses(json)) return undefined;
  const model = reader.find(json, ['model']);
  const named = model?.kind === 'other' ? model.value : model;
  if (billed.model !== undefined && named !== billed.model) return { model: named };
  const holder = config ? reader.find(json, config) : json;
  const caps = readAll(reader, holder, reads.cap);
  if (reads.cap && (caps.length === 0 || caps.some((cap) => cap !== billed.cap))) return { caps };
  const counts = readAll(reader, holder, reads.choices);
  if (reads.choices && Math.max(1, ...counts) !== billed.choices) return { counts };
  const stream = reads.stream && reader.find(json, reads.stream);
  if (reads.stream && (stream?.kind === 'other' && Boolean(stream.value)) !== billed.stream)
    return { stream };
  const seconds = readAll(reader, json, reads.seconds);
  return seconds.some((one) => one !== billed.seconds) ? { seconds } : undefined;
}

/** Does what may refuse in words, and nothing else. */
function attempt<T>(run: () => T): T | 'refused' {
  try {
    return run();
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return 'refused';
    throw error;
  }
}

describe('H1, H2: what is billed is what every upstream reads', () => {
  const tried = { bodies: 0, taken: 0 };
  afterAll(() => {
    // oxlint-disable-next-line no-console -- figures are read by whoever runs `npm run fuzz`
    if (isFuzzing()) console.log(`${tried.bodies} bodies of ${ENVELOPES.length} kinds, ${tried.taken} taken`);
  });

  for (const envelope of ENVELOPES) {
    it(`${envelope.name}: no server sees another model, cap, count or stream`, () => {
      let taken = 0;
      fc.assert(
        fc.property(bodyOf(envelope), (text) => {
          tried.bodies++;
          const outcome = attempt(() => envelope.send(Buffer.from(text)));
          if (outcome === 'refused') return;
          taken++;
          tried.taken++;
          for (const reader of JSON_READERS) {
            const sent = outcome.sent.toString('utf8');
            expect({
              reader: reader.name,
              sent,
              difference: findDifference(sent, outcome.billed, envelope, reader),
            }).toEqual({
              reader: reader.name,
              sent,
              difference: undefined,
            });
          }
        }),
        paceOf(400),
      );
      // A property that every body is refused by would prove nothing.
      expect(taken).toBeGreaterThan(20);
    });
  }

  it('finds the differences that it looks for', () => {
    const [chat] = ENVELOPES;
    if (!chat) throw new Error('no envelope');
    const billed = { model: UPSTREAM_MODEL, cap: 1, choices: 1, stream: false };
    const see = (text: string) =>
      JSON_READERS.filter((reader) => findDifference(text, billed, chat, reader)).map(({ name }) => name);
    const model = `"model":"${UPSTREAM_MODEL}"`;
    expect(see(`{${model},"max_tokens":1}`)).toEqual([]);
    expect(see(`{"model":"dear",${model},"max_tokens":1}`)).toEqual(['first wins']);
    expect(see(`{${model},"Model":"dear","max_tokens":1}`)).toEqual(['folds case']);
    expect(see(`{${model},"max_tokens":1,"max_tokens":null}`)).toEqual(['last wins']);
    expect(see(`{${model},"maX_token\\u017f":9,"max_tokens":1,"n":null}`)).toEqual([]);
    expect(see(`{${model},"max_tokens":1,"maX_token\\u017f":9}`)).toEqual(['folds case']);
    expect(see(`{${model},"max_tokens":1,"max_completion_tokens":9}`)).toHaveLength(4);
  });
});

describe('a body of any bytes', () => {
  it('is read as JSON.parse reads it, or refused in words', () => {
    const golden =
      '{"model":"slug","messages":[{"role":"user","content":"a\\"b\\u00e9"}],"n":1e0,"x":[[],{},null]}';
    const damaged = fc
      .array(fc.tuple(fc.nat(golden.length), fc.nat(3), fc.constantFrom(...'{}[]",:\\n1e-tf \u00e9\u0000')), {
        maxLength: 4,
      })
      .map((edits) =>
        edits.reduce((text, [at, cut, letter]) => text.slice(0, at) + letter + text.slice(at + cut), golden),
      );
    fc.assert(
      fc.property(fc.oneof(damaged, fc.json(), fc.string()), (text) => {
        const outcome = attempt(() => parseRequestBody(Buffer.from(text)));
        expect(outcome === 'refused' || outcome).toEqual(outcome === 'refused' || JSON.parse(text));
      }),
      paceOf(500),
    );
  });
});
