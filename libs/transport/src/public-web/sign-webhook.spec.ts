import { describe, expect, it } from 'vitest';
import { signWebhook } from './sign-webhook.js';

const BODY = Buffer.from('{"test": 2432232314}');

function sign(...secrets: string[]): string | undefined {
  return signWebhook('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, BODY, secrets)['webhook-signature'];
}

describe('signWebhook', () => {
  it('signs as the libraries of Standard Webhooks do', () => {
    expect(sign('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('signs once for each secret, the newest first', () => {
    const [first, second] = ['whsec_YQ==', 'whsec_Yg=='] as const;
    expect(sign(first, second)).toBe(`${sign(first)} ${sign(second)}`);
  });
});
