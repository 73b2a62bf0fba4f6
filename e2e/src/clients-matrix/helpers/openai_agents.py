"""OpenAI Agents: a handover to another agent, a tool, an answer by a schema, and a session in a conversation."""
import os

from agents import (
    Agent,
    OpenAIConversationsSession,
    Runner,
    function_tool,
    set_default_openai_client,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from pydantic import BaseModel

client = AsyncOpenAI(
    base_url=os.environ["GATEWAY_URL"] + "/v1", api_key=os.environ["GATEWAY_KEY"], max_retries=0
)
set_default_openai_client(client)
set_tracing_disabled(True)
model = os.environ["MODEL"]
asked = []


@function_tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    asked.append(city)
    return "rain"


class City(BaseModel):
    city: str


writer = Agent(name="Writer", instructions="You write.", model=model)
first = Agent(name="First", instructions="Hand over.", model=model, handoffs=[writer])
handed = Runner.run_sync(first, "Write something.")
assert handed.last_agent.name == "Writer"

weather = Agent(name="Weather", model=model, tools=[get_weather])
assert "rain" in Runner.run_sync(weather, "How is the weather?").final_output
assert asked == ["sample"]

city = Agent(name="City", model=model, output_type=City)
assert isinstance(Runner.run_sync(city, "Name a city.").final_output, City)

session = OpenAIConversationsSession(openai_client=client)
talker = Agent(name="Talker", model=model)
for words in ("Say something.", "And more."):
    assert Runner.run_sync(talker, words, session=session).final_output
