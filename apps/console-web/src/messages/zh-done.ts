import type { enDone } from './en-done.js';

export const zhDone: typeof enDone = {
  region: '通知',
  close: '关闭通知',
  saved: (name) => `${name}：已保存。`,
  created: (name) => `${name}：已创建。`,
  deleted: (name) => `${name}：已删除。`,
  rotated: (name) => `${name}：密钥已轮换，旧密钥已失效。`,
  rotatedSoftly: (name) => `${name}：密钥已轮换，旧密钥还可使用一段时间。`,
  removed: (name) => `${name}：已移除。`,
  enabled: (name) => `${name}：已启用。`,
  disabled: (name) => `${name}：已停用。`,
  toppedUp: (name) => `${name}：已充值。`,
  redeemed: '兑换码已兑换。',
  left: (name) => `您已退出 ${name}。`,
  ended: (name) => `${name}：已关闭。`,
  takenBack: '邀请已撤销。',
  sessionEnded: (address) => `${address} 的会话已结束。`,
  factorOff: '两步验证已停用。',
  models: (count, channel) => `${channel}：已添加 ${count} 个模型。`,
};
