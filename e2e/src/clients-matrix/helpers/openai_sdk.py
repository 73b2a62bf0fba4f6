"""OpenAI's SDK: parse by a schema, of chat completions and of responses; tools; streams."""
import json
import os

from openai import OpenAI
from pydantic import BaseModel

client = OpenAI(base_url=os.environ["GATEWAY_URL"] + "/v1", api_key=os.environ["GATEWAY_KEY"], max_retries=0)
model = os.environ["MODEL"]


class City(BaseModel):
    city: str
    capital: bool


parsed = client.chat.completions.parse(
    model=model, messages=[{"role": "user", "content": "Name a city."}], response_format=City
)
assert isinstance(parsed.choices[0].message.parsed, City)
response = client.responses.parse(model=model, input="Name a city.", text_format=City)
assert isinstance(response.output_parsed, City)

parameters = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
tools = [{"type": "function", "name": "get_weather", "parameters": parameters, "strict": True}]
first = client.responses.create(model=model, input="How is the weather?", tools=tools)
call = next(item for item in first.output if item.type == "function_call")
assert json.loads(call.arguments) == {"city": "sample"}
result = {"type": "function_call_output", "call_id": call.call_id, "output": "rain"}
second = client.responses.create(model=model, previous_response_id=first.id, input=[result], tools=tools)
assert "rain" in second.output_text

conversation = client.conversations.create()
client.responses.create(model=model, conversation=conversation.id, input="Say something.")
assert len(list(client.conversations.items.list(conversation.id))) >= 2

with client.responses.stream(model=model, input="Say something.") as stream:
    assert stream.get_final_response().output_text
