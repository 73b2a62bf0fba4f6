import { NO_USAGE } from '@mg/contract';
import { type ClientProtocolName, findChatProtocol, type JsonObject } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import { DroppedFields } from '../../call/dropped-fields.js';
import type { ChatHold } from './bound-chat.js';
import { billUsage } from './bill-usage.js';

const USED = { ...NO_USAGE, inputTokens: 10, outputTokens: 5 };

function holdFor(protocol: ClientProtocolName, parsed: JsonObject, toolUses?: number): ChatHold {
  return { demand: findChatProtocol(protocol).readDemand(Buffer.from(''), parsed), toolUses } as ChatHold;
}

const withSearch = holdFor('openai-responses', { tools: [{ type: 'web_search' }] }, 3);

describe('H4: usage as it is billed', () => {
  it('has the uses of tools that were asked for', () => {
    expect(billUsage({ ...USED, webSearches: 2, codeSessions: 1 }, withSearch)).toEqual({
      ...USED,
      webSearches: 2,
    });
  });

  it('has no more uses than were held for, whatever a provider claims', () => {
    expect(billUsage({ ...USED, webSearches: 900 }, withSearch).webSearches).toBe(3);
  });

  it('has the search that nobody reports', () => {
    const hold = holdFor('openai-chat', { web_search_options: {} });
    expect(billUsage(USED, hold).webSearches).toBe(1);
  });

  it.each([
    ['priority', 'priority', 'priority'],
    ['priority', undefined, 'priority'],
    ['priority', 'standard', undefined],
    ['auto', 'priority', undefined],
    [undefined, 'priority', undefined],
  ])('asked for the tier %s and served by %s: billed by %s', (asked, served, billed) => {
    const hold = holdFor('openai-chat', asked === undefined ? {} : { service_tier: asked });
    expect(billUsage(served === undefined ? USED : { ...USED, tier: served }, hold).tier).toBe(billed);
  });

  it('bills no tier that the channel could not be asked for', () => {
    const dropped = new DroppedFields();
    dropped.add('service_tier');
    const hold = holdFor('openai-chat', { service_tier: 'priority' });
    expect(billUsage(USED, hold, { dropped }).tier).toBeUndefined();
  });
});
