import type { enLimits } from './en-limits.js';

export const zhLimits: typeof enLimits = {
  limits: {
    limits: '限制',
    budgets: '预算',
    names: {
      rpm: '每分钟请求数（RPM）',
      rpd: '每天请求数（RPD）',
      tpm: '每分钟 Token 数（TPM）',
      concurrency: '并发调用数',
      day: '每日预算（美元）',
      week: '每周预算（美元）',
      month: '每月预算（美元）',
      timezone: '预算时区',
    },
    unlimited: '不限',
    periods: { day: '当日预算', week: '本周预算', month: '本月预算' },
    renewed: '重置于',
  },
  routing: {
    title: '路由',
    strategy: '同优先级渠道的排序',
    strategies: { priority: '按权重', latency: '最快优先', busy: '最空闲优先', cost: '最便宜优先' },
    sticky: '同一会话固定使用同一渠道和密钥',
    fallback: '备用模型',
    fallbackHint: '按尝试顺序填写模型标识，用逗号分隔。',
    fallbackOn: '何时改用备用模型',
    causes: { failure: '所有渠道都失败', context: '提示过长', refusal: '内容被拒绝' },
    firstToken: '流式首 Token 时限',
    firstTokenHint: '例如 20s，超时后改试下一个渠道。留空则用渠道自己的超时。',
    onAbort: '非流式调用方断开时',
    onAbortDefault: '按类型的默认方式',
    onAbortChoices: { finish: '完成回答并计费', cancel: '停止供应商' },
  },
};
