"""Google's SDK: a session of the Live API, which answers a text."""
import asyncio
import os

from google import genai

client = genai.Client(
    api_key=os.environ["GATEWAY_KEY"], http_options={"base_url": os.environ["GATEWAY_URL"]}
)


async def talk():
    async with client.aio.live.connect(model=os.environ["MODEL"]) as session:
        await session.send_client_content(turns={"role": "user", "parts": [{"text": "Hello?"}]})
        messages = [message async for message in session.receive()]
        assert any(message.server_content and message.server_content.model_turn for message in messages)


asyncio.run(asyncio.wait_for(talk(), 30))
