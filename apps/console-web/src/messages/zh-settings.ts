import type { SettingTexts } from './en-administration.js';

/** Settings of channels by name. Providers describe theirs in English; what is not here is shown in their words. */
export const zhSettings: Readonly<Record<string, SettingTexts>> = {
  access_key_id: { title: '访问密钥 ID', help: '云账号用户的访问密钥；使用该服务的 API 密钥时不需要。' },
  allow_upstream_routing: {
    title: '调用方可选择渠道之后的模型',
    help: 'models、provider、route、plugins、fallbacks 等字段会送达服务器；它所选的仍按本次调用的模型计费。',
  },
  api_version: { title: 'API 版本', help: '如 2024-10-21；无版本的 API 填 v1。' },
  deployment: { title: '部署', help: '部署的名称，与模型名称不同时填写。' },
  developer_role: { title: '开发者角色', help: '接受角色为 developer 的消息。' },
  efforts: { title: '思考强度', help: 'reasoning_effort 可取的值；不能要求模型思考时为空。' },
  fixed_sampling: { title: '固定采样', help: '拒绝温度等采样参数。' },
  json_schema: { title: 'JSON 模式', help: 'response_format 可以是 JSON 模式；否则写进提示词。' },
  location: { title: '地域', help: '如 us-central1 或 global。' },
  max_output_tokens: { title: '最长响应', help: '以 Token 计。' },
  max_tokens_field: { title: '最长响应的字段', help: '服务器对它的称呼。' },
  project: { title: '项目', help: '项目的 ID。' },
  reasoning_field: { title: '思考内容的字段', help: '在响应中和送回时承载思考内容。' },
  region: { title: '区域', help: '如 us-east-1。' },
  replay_reasoning: { title: '送回思考内容', help: '先前轮次的思考内容必须送回。' },
  secret_access_key: { title: '秘密访问密钥', help: '与访问密钥 ID 成对。' },
  service_account: { title: '服务账号', help: '密钥文件中的 JSON 文本。' },
  session_token: { title: '会话令牌', help: '仅用于临时凭据。' },
  stream_usage: { title: '流中的用量', help: '可以用 stream_options 要求在流中报告用量。' },
  system_first_only: { title: '系统消息在前', help: '只接受位于开头的系统消息。' },
  text_completions: { title: '文本补全', help: '服务器没有 /completions 时，此类调用转换为对话。' },
  user_field: { title: '用户字段', help: '向服务器指明最终用户的字段。' },
};
