"""Anthropic's SDK: tool_runner, and parse by a schema."""
import os

from anthropic import Anthropic, beta_tool
from pydantic import BaseModel

client = Anthropic(base_url=os.environ["GATEWAY_URL"], api_key=os.environ["GATEWAY_KEY"], max_retries=0)
model = os.environ["MODEL"]
asked = []


@beta_tool
def get_weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: its name.
    """
    asked.append(city)
    return "rain"


for stream in (False, True):
    runner = client.beta.messages.tool_runner(
        model=model,
        max_tokens=1024,
        tools=[get_weather],
        messages=[{"role": "user", "content": "How is the weather?"}],
        stream=stream,
    )
    message = runner.until_done()
    assert "rain" in "".join(block.text for block in message.content if block.type == "text")
assert asked == ["sample", "sample"]


class City(BaseModel):
    city: str
    capital: bool


parsed = client.messages.parse(
    model=model,
    max_tokens=1024,
    messages=[{"role": "user", "content": "Name a city."}],
    output_format=City,
)
assert isinstance(parsed.parsed_output, City)
