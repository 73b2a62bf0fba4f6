"""litellm: chats over three protocols, a stream, a tool."""
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402

url, key, model = os.environ["GATEWAY_URL"], os.environ["GATEWAY_KEY"], os.environ["MODEL"]
litellm.telemetry = False
parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
tools = [{"type": "function", "function": {"name": "get_weather", "parameters": parameters}}]
question = [{"role": "user", "content": "How is the weather?"}]

for name, base in ((f"openai/{model}", url + "/v1"), (f"anthropic/{model}", url)):
    options = {"model": name, "api_base": base, "api_key": key, "max_tokens": 1024, "num_retries": 0}
    whole = litellm.completion(messages=question, **options)
    assert whole.choices[0].message.content
    stream = litellm.completion(messages=question, stream=True, **options)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream)
    called = litellm.completion(messages=question, tools=tools, **options)
    assert called.choices[0].message.tool_calls[0].function.name == "get_weather"
