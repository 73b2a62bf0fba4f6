import { describe, expect, it } from 'vitest';
import { readPhrases } from './phrases.js';

describe('phrases', () => {
  it.each([
    ['priority 0, the only one', [['priority', '0'], ['only_one']]],
    [
      'model small after context of large; priority -1, chosen by weight 3 among 2, after 1 other',
      [['fallback_context', 'small', 'large'], ['priority', '-1'], ['by_weight', '3', '2'], ['after_one']],
    ],
    [
      'priority 0, by latency: 120 ms to the first event, place 1 of 2, with another key; status 429: Slow down; please',
      [
        ['priority', '0'],
        ['latency_to_first_event', '120'],
        ['place', '1', '2'],
        ['another_key'],
        ['status_said', '429'],
        ['other', 'Slow down; please'],
      ],
    ],
    ["not asked: the channel's limit of 60 requests per minute is reached", [['limit_rpm', '60']]],
    ['not asked: the call has taken the whole of its timeout.total, 500 ms', [['call_took_its_time', '500']]],
    [
      'priority 0, the only one; dropped seed,top_k',
      [['priority', '0'], ['only_one'], ['dropped', 'seed,top_k']],
    ],
    [
      'priority 0, the one that holds the response before; goes on from what its upstream keeps',
      [['priority', '0'], ['holds_response'], ['goes_on_upstream']],
    ],
    ['status 500', [['status', '500']]],
    ['The model "acme/chat:free" does not exist.', [['model_unknown', 'acme/chat:free']]],
    [
      'The model "a" is of kind image; this endpoint serves chat models.',
      [['model_of_other_kind', 'a', 'image', 'chat']],
    ],
    ['This call may cost 0.5 USD and the wallet has 0 USD available.', [['wallet_short', '0.5', '0']]],
    ['The upstream failed: no.', [['upstream_failed_by'], ['other', 'no.']]],
    ['The upstream failed.', [['upstream_failed']]],
    ['not submitted: The upstream cannot be reached.', [['not_submitted'], ['upstream_unreachable']]],
    ['made', [['made']]],
    ['the upstream cannot be reached (ECONNREFUSED).', [['unreachable_by', 'ECONNREFUSED']]],
    [
      'The upstream answered 401: No.',
      [
        ['upstream_answered', '401'],
        ['other', 'No.'],
      ],
    ],
    ['The upstream answered 500.', [['upstream_answered_alone', '500']]],
    ['The upstream answered no JSON.', [['no_json']]],
    ['made, and a copy kept', [['made_and_kept']]],
    ['cancelled by its owner, also at the provider', [['cancelled_at_provider']]],
    [
      'it is not known whether it arrived: the connection to the upstream broke (ECONNRESET)',
      [['arrival_unknown'], ['connection_broke_by', 'ECONNRESET']],
    ],
  ])('of %j', (text, expected) => {
    expect(readPhrases(text).map(({ code, values }) => [code, ...values])).toEqual(expected);
  });

  it('keep what is none of them as it is, to the end', () => {
    expect(readPhrases('the model refused; made')).toEqual([
      { code: 'other', values: ['the model refused; made'] },
    ]);
    expect(readPhrases('')).toEqual([]);
  });

  it('take time in proportion to the text', () => {
    const text = `status ${'429: '.repeat(20_000)}`;
    expect(readPhrases(text)).toHaveLength(2);
    expect(readPhrases(`priority ${'x '.repeat(50_000)}`)).toHaveLength(1);
  });
});
