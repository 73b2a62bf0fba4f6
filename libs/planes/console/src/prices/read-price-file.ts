import { setImmediate } from 'node:timers/promises';
import {
  explainIssue,
  type GatewayError,
  PRICE_KEYS,
  type PriceSheet,
  priceSheetSchema,
  type RefusalReason,
  refuse,
  slugSchema,
} from '@mg/contract';
import { isObject, readObjectInSlices } from '@mg/protocols';
import { z } from 'zod';
import { describeIssue } from '../http/describe-issue.js';
import { parseYaml } from './parse-yaml.js';

export const PRICE_FILE_FORMATS = ['json', 'yaml', 'csv'] as const;
export type PriceFileFormat = (typeof PRICE_FILE_FORMATS)[number];

export interface FilePrice {
  readonly slug: string;
  readonly price: PriceSheet;
}

const MOST_PRICES = 5_000;
/** Blank ones among them. */
const MOST_LINES = 2 * MOST_PRICES;
/** Of one line: more than there are columns. */
const MOST_CELLS = 1_000;
const CSV_COLUMNS: ReadonlySet<string> = new Set(['slug', ...PRICE_KEYS, 'batch_share', 'cache_share']);

/** Checked in one turn of the event loop, variants and tiers among them. */
const PRICES_IN_A_TURN = 50;
/** Of one price, each with rates of its own, which are checked in one step: sizes and qualities of images make some dozens. */
const MOST_VARIANTS = 1_000;

const mapSchema = z.record(slugSchema, priceSheetSchema);
/** As a model stands in the configuration file; what else it says of it is not a price. */
const modelSchema = z.object({ slug: slugSchema, price: priceSheetSchema });
const modelsSchema = z.object({ models: z.array(modelSchema) });
const lineSchema = z.strictObject({ slug: slugSchema, price: priceSheetSchema });

/**
 * Reads a file of prices in USD: a map from slug to price, models as in the configuration file, or CSV with the columns
 * `slug`, any of the price's meters, `batch_share` and `cache_share`.
 *
 * @throws GatewayError `invalid_request` that says where the file is wrong.
 */
export async function readPriceFile(content: string, format: PriceFileFormat): Promise<FilePrice[]> {
  const prices = await (format === 'csv' ? readCsv(content) : readTree(content));
  if (prices.length === 0) throw refuseFile('file_without_price');
  const slugs = new Set<string>();
  for (const { slug } of prices) {
    if (slugs.has(slug)) throw refuseFile('file_names_twice', slug);
    slugs.add(slug);
  }
  return prices;
}

/** JSON is YAML. */
async function readTree(content: string): Promise<FilePrice[]> {
  const parsed = await parseYaml(content);
  if ('problem' in parsed) throw refuseFile('file_unreadable', parsed.problem);
  const tree = await readObjectInSlices(Buffer.from(parsed.json), setImmediate);
  if (!tree && parsed.json.startsWith('{')) throw refuseFile('file_too_long', MOST_PRICES);
  if (!tree) return toPrices(check(mapSchema, parsed.json.startsWith('[') ? [] : ''));
  if (!('models' in tree)) {
    const entries = Object.entries(tree);
    return readEach(
      entries,
      ([slug, price]) => toPrices(check(mapSchema, { [slug]: price })),
      ([slug, price]) => countVariants(price, slug),
    );
  }
  const { models } = tree;
  if (!Array.isArray(models)) return check(modelsSchema, tree).models;
  return readEach(
    models as unknown[],
    (model, at) => [check(modelSchema, model, '', `models[${at}]`)],
    (model, at) => (isObject(model) ? countVariants(model.price, `models[${at}].price`) : 0),
  );
}

/** How many rates of its own a price names. @throws GatewayError `invalid_request` for more than are checked in one step. */
function countVariants(price: unknown, place: string): number {
  if (!isObject(price)) return 0;
  const { variants, tiers } = price;
  const count = [variants, tiers].reduce<number>(
    (sum, rates) => sum + (isObject(rates) ? Object.keys(rates).length : 0),
    0,
  );
  if (count <= MOST_VARIANTS) return count;
  throw refuseFile('file_wrong', `${place}: has more than ${MOST_VARIANTS} variants and tiers`);
}

function toPrices(map: z.output<typeof mapSchema>): FilePrice[] {
  return Object.entries(map).map(([slug, price]) => ({ slug, price }));
}

/** Slugs and amounts hold neither commas nor line ends, so that quotes say nothing here. */
async function readCsv(content: string): Promise<FilePrice[]> {
  // Line ends of Windows go with the space around cells.
  const [first = '', ...lines] = content.replace(/^\uFEFF/, '').split('\n', MOST_LINES + 1);
  if (lines.length === MOST_LINES) throw refuseFile('file_too_long', MOST_PRICES);
  const columns = splitLine(first);
  const unknown = columns.filter((name) => !CSV_COLUMNS.has(name));
  if (!columns.includes('slug')) throw refuseFile('file_without_slug');
  if (unknown[0] !== undefined) throw refuseFile('file_unknown_column', unknown[0]);
  const filled = [...lines.entries()].filter(([, line]) => line.trim() !== '');
  return readEach(filled, ([at, line]) => {
    const cells = splitLine(line);
    if (cells.length !== columns.length) {
      throw refuseFile('file_uneven', cells.length, at + 2, columns.length);
    }
    const { slug, ...price } = Object.fromEntries(
      columns.map((name, place) => [name, cells[place] ?? '']).filter(([, cell]) => cell !== ''),
    );
    return [check(lineSchema, { slug, price }, `line ${at + 2}: `)];
  });
}

function splitLine(line: string): string[] {
  return line.split(',', MOST_CELLS).map((cell) => cell.trim().replace(/^"([^"]*)"$/, '$1'));
}

/**
 * The prices of some entries, which are checked in turns of the event loop.
 *
 * @param variantsOf says how many variants and tiers an entry has.
 */
async function readEach<Entry>(
  entries: readonly Entry[],
  read: (entry: Entry, at: number) => readonly FilePrice[],
  variantsOf: (entry: Entry, at: number) => number = () => 0,
): Promise<FilePrice[]> {
  if (entries.length > MOST_PRICES) throw refuseFile('file_too_long', MOST_PRICES);
  const prices: FilePrice[] = [];
  let inTurn = 0;
  for (const [at, entry] of entries.entries()) {
    inTurn += 1 + variantsOf(entry, at);
    prices.push(...read(entry, at));
    if (inTurn < PRICES_IN_A_TURN) continue;
    inTurn = 0;
    await setImmediate();
  }
  return prices;
}

/**
 * @param before what a message begins with.
 * @param place of the value in the file.
 */
function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  before = '',
  place = '',
): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const { message } = explainIssue(result.error);
  const within = place === '' ? '' : result.error.issues[0]?.path.length === 0 ? `${place}: ` : `${place}.`;
  throw refuseFile('file_wrong', `${before}${within}${message.replace(/\.$/, '')}`);
}

function refuseFile(reason: RefusalReason, ...values: (string | number)[]): GatewayError {
  return refuse('invalid_request', reason, { param: 'content', values });
}
