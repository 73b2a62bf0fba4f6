"""LlamaIndex: a completion, a stream, a tool."""
import os

from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike

llm = OpenAILike(
    model=os.environ["MODEL"],
    api_base=os.environ["GATEWAY_URL"] + "/v1",
    api_key=os.environ["GATEWAY_KEY"],
    is_chat_model=True,
    is_function_calling_model=True,
    max_retries=0,
)


def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"rain in {city}"


assert str(llm.complete("Say something."))
assert "".join(part.delta or "" for part in llm.stream_complete("Say something."))
answer = llm.predict_and_call([FunctionTool.from_defaults(get_weather)], "How is the weather?")
assert "rain in sample" in str(answer)
