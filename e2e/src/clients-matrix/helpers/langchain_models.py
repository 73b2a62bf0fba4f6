"""LangChain over the three protocols: a tool, an answer by a schema, a stream."""
import os

from langchain_anthropic import ChatAnthropic
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

url, key, model = os.environ["GATEWAY_URL"], os.environ["GATEWAY_KEY"], os.environ["MODEL"]


class City(BaseModel):
    """A city."""

    city: str


class GetWeather(BaseModel):
    """The weather of a city."""

    city: str


for chat in (
    ChatOpenAI(model=model, base_url=url + "/v1", api_key=key, stream_usage=True, max_retries=0),
    ChatOpenAI(model=model, base_url=url + "/v1", api_key=key, use_responses_api=True, max_retries=0),
    ChatAnthropic(model=model, base_url=url, api_key=key, max_retries=0),
    ChatGoogleGenerativeAI(model=model, base_url=url, google_api_key=key, max_retries=1),
):
    calls = chat.bind_tools([GetWeather]).invoke("How is the weather?").tool_calls
    assert calls[0]["args"] == {"city": "sample"}, calls
    assert isinstance(chat.with_structured_output(City).invoke("Name a city."), City)
    assert "".join(chunk.text if isinstance(chunk.text, str) else chunk.text() for chunk in chat.stream("Say something."))
