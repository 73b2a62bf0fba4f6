import type { Alert } from '../api/console-api.js';
import { showUsd } from '../money/usd.js';
import { joinPhrases, sayPhrase } from './say-phrases.js';
import { zhPhrases } from './zh-phrases.js';

const SUBJECTS: Readonly<Record<string, string>> = { token: '密钥', wallet: '钱包', user: '用户' };
const PERIODS: Readonly<Record<string, string>> = { day: '每日', week: '每周', month: '每月' };

/** What alerts are about that has no name of its own. */
export const zhSubjects = { ledger: '账本', usage: '用量', 'video tasks': '视频任务' };

/** What an alert says, out of its facts: the API sends a sentence in English. */
export function describeInChinese({ kind, level, facts, text, reason_phrases: reasons }: Alert): string {
  const name = `“${facts['name']}”`;
  const usd = (fact: string) => showUsd(String(facts[fact]));
  const count = (fact: string) => Number(facts[fact]).toLocaleString('zh');
  switch (kind) {
    case 'channel_failing':
      return `渠道${name}失败：最近十分钟 ${count('failed')} 次尝试失败，${count('served')} 次成功${reasons.length === 0 ? '' : `：${joinPhrases(reasons.map((phrase) => sayPhrase(phrase, zhPhrases)))}`}`;
    case 'wallet_balance':
      return `钱包${name}余额 ${usd('balance')}，信用额度 ${usd('credit_limit')}，合计低于 ${usd('below')}。`;
    case 'budget': {
      const share = level === 'reached' ? '已用完' : '已用 80%';
      const subject = SUBJECTS[String(facts['of'])] ?? facts['of'];
      const period = PERIODS[String(facts['period'])] ?? facts['period'];
      return `${subject}${name}的${period}预算${share}：预算 ${usd('amount')}，已花费 ${usd('spent')}。`;
    }
    case 'ledger_drift':
      return `账本不一致：${facts['figures']} 个数字与其明细之和不符。`;
    case 'queue_age':
      return `${queueOf(facts)}队列滞后：${count('waiting')} 项中最早的已等待 ${count('oldest_seconds')} 秒，超过 ${count('limit_seconds')} 秒。`;
    default:
      return text;
  }
}

function queueOf({ name }: Alert['facts']): string {
  const known: Readonly<Record<string, string>> = zhSubjects;
  return known[String(name)] ?? String(name);
}
