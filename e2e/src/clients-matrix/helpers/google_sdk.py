"""Google's SDK: automatic function calling, JSON by a schema, a stream."""
import os

from google import genai
from pydantic import BaseModel

client = genai.Client(
    api_key=os.environ["GATEWAY_KEY"], http_options={"base_url": os.environ["GATEWAY_URL"]}
)
model = os.environ["MODEL"]
asked = []


def get_weather(city: str) -> str:
    """The weather of a city."""
    asked.append(city)
    return "rain"


answer = client.models.generate_content(
    model=model, contents="How is the weather?", config={"tools": [get_weather]}
)
assert "rain" in answer.text
assert asked == ["sample"]


class City(BaseModel):
    city: str


city = client.models.generate_content(
    model=model,
    contents="Name a city.",
    config={"response_mime_type": "application/json", "response_schema": City},
)
assert isinstance(city.parsed, City)
chunks = client.models.generate_content_stream(model=model, contents="Say something.")
assert "".join(chunk.text or "" for chunk in chunks)
