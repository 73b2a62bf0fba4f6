import { z } from 'zod';

const usd = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({ description: 'USD, decimal.' });

/** What an API key has used and may still spend. */
export const usageAnswer = z.looseObject({
  object: z.literal('usage'),
  from: z.string(),
  to: z.string(),
  token: z.looseObject({
    id: z.string(),
    name: z.string(),
    spending_quota: usd.nullable(),
    used: usd,
    remaining: usd.nullable(),
    expires_at: z.string().nullable(),
  }),
  wallet: z.looseObject({ balance: usd, held: usd, available: usd }),
  total_cost: usd,
  data: z.array(
    z.looseObject({
      day: z.string().optional(),
      model: z.string().optional(),
      calls: z.int(),
      errors: z.int(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      cost: usd,
    }),
  ),
});

/** What one call used and cost. */
export const callUsageAnswer = z.looseObject({
  object: z.literal('usage.call'),
  request_id: z.string().meta({ description: '`x-request-id` of the call.' }),
  created_at: z.string(),
  model: z.string(),
  asked_model: z
    .string()
    .nullable()
    .meta({ description: 'What the call named, where an alias or the default of its key led to the model.' }),
  endpoint: z.string(),
  status: z.int(),
  error_code: z.string().nullable(),
  stream: z.boolean(),
  latency_ms: z.int(),
  ttft_ms: z.int().nullable(),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
  cost: usd,
  estimated: z.boolean(),
  reason: z.string(),
});

/** OpenAI's old billing API: limits in USD. */
export const subscriptionAnswer = z.looseObject({
  object: z.literal('billing_subscription'),
  has_payment_method: z.boolean(),
  soft_limit_usd: z.number(),
  hard_limit_usd: z.number(),
  system_hard_limit_usd: z.number(),
  access_until: z.int(),
});

/** OpenAI's old billing API: what was spent, in US cents. */
export const billingUsageAnswer = z.looseObject({
  object: z.literal('list'),
  daily_costs: z.array(
    z.looseObject({
      timestamp: z.int(),
      line_items: z.array(z.looseObject({ name: z.string(), cost: z.number() })),
    }),
  ),
  total_usage: z.number(),
});

/** OpenAI's old billing API: what is left, in USD. */
export const creditsAnswer = z.looseObject({
  object: z.literal('credit_summary'),
  total_granted: z.number(),
  total_used: z.number(),
  total_available: z.number(),
});

export const healthAnswer = z.looseObject({ status: z.string(), detail: z.string().optional() });
