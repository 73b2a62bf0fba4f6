import { NO_USAGE, usageToRow } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { writeCsvHeader, writeCsvLine } from '../http/write-csv.js';
import { LOG_COLUMNS } from './log-csv.js';
import { logSchema } from './log-schemas.js';
import type { LogView } from './log-view.js';

const CALL = { usage: {}, token_name: 'a', model: 'm', cost: '0.1' } as unknown as LogView;

function cellOf(column: string, call: Partial<LogView>): string | undefined {
  const place = writeCsvHeader(LOG_COLUMNS).trimEnd().split(',').indexOf(column);
  return writeCsvLine(LOG_COLUMNS, { ...CALL, ...call })
    .trimEnd()
    .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)[place];
}

it('describes everything that a call may have used', () => {
  const used = {
    ...NO_USAGE,
    imageInputTokens: 1,
    imageOutputTokens: 2,
    audioInputTokens: 3,
    audioOutputTokens: 4,
  };
  const rare = {
    characters: 5,
    webSearches: 6,
    fileSearches: 7,
    codeSessions: 8,
    tier: 'flex',
    variant: 'hd',
  };
  const row = usageToRow({ ...used, ...rare, fromCache: true });
  expect(logSchema.shape.usage.strict().parse(row)).toEqual(row);
});

describe('the export of calls', () => {
  it.each(['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
    'keeps a formula text: %j',
    (name) => {
      expect(cellOf('token_name', { token_name: name })?.replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it('quotes what would end a cell or a line', () => {
    expect(cellOf('token_name', { token_name: 'a,"b"\nc' })).toBe('"a,""b""\nc"');
  });

  it('has the uses of tools and the service tier', () => {
    const usage = { ...CALL.usage, web_searches: 2, tier: 'priority' };
    expect(cellOf('web_searches', { usage })).toBe('2');
    expect(cellOf('code_sessions', { usage })).toBe('0');
    expect(cellOf('tier', { usage })).toBe('priority');
    expect(cellOf('tier', {})).toBe('');
  });

  it('leaves numbers, moments and what is absent as they are', () => {
    expect(cellOf('cost', {})).toBe('0.1');
    expect(cellOf('channel', { channel: null })).toBe('');
    expect(cellOf('latency_ms', { latency_ms: 5 })).toBe('5');
  });
});
