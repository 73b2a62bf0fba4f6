"""Instructor: objects by tools and by a schema."""
import os

import instructor
from openai import OpenAI
from pydantic import BaseModel

client = OpenAI(base_url=os.environ["GATEWAY_URL"] + "/v1", api_key=os.environ["GATEWAY_KEY"], max_retries=0)


class City(BaseModel):
    city: str
    capital: bool


for mode in (instructor.Mode.TOOLS, instructor.Mode.JSON_SCHEMA):
    city = instructor.from_openai(client, mode=mode).chat.completions.create(
        model=os.environ["MODEL"],
        response_model=City,
        messages=[{"role": "user", "content": "Name a city."}],
        max_retries=0,
    )
    assert isinstance(city, City)
