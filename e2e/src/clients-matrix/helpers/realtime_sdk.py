"""OpenAI's SDK: a session of the Realtime API, which answers a text."""
import os

from openai import OpenAI

client = OpenAI(base_url=f"{os.environ['GATEWAY_URL']}/v1", api_key=os.environ["GATEWAY_KEY"])
with client.realtime.connect(model=os.environ["MODEL"]) as connection:
    content = [{"type": "input_text", "text": "Hello?"}]
    connection.conversation.item.create(item={"type": "message", "role": "user", "content": content})
    connection.response.create()
    for event in connection:
        assert event.type != "error", event
        if event.type == "response.done":
            assert event.response.status == "completed"
            break
