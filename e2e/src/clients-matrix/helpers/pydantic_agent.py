"""Pydantic AI: an agent with a tool, and an answer by a schema, over three protocols."""
import os

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

url, key, model = os.environ["GATEWAY_URL"], os.environ["GATEWAY_KEY"], os.environ["MODEL"]
openai = OpenAIProvider(base_url=url + "/v1", api_key=key)


class City(BaseModel):
    city: str


for chat in (
    OpenAIChatModel(model, provider=openai),
    OpenAIResponsesModel(model, provider=openai),
    AnthropicModel(model, provider=AnthropicProvider(base_url=url, api_key=key)),
):
    asked = []
    agent = Agent(chat)

    @agent.tool_plain
    def get_weather(city: str) -> str:
        """The weather of a city."""
        asked.append(city)
        return "rain"

    assert "rain" in agent.run_sync("How is the weather?").output
    assert asked == ["sample"]
    assert isinstance(Agent(chat, output_type=City).run_sync("Name a city.").output, City)
