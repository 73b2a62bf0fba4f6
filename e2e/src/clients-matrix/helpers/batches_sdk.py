"""Batches by three SDKs: OpenAI's of a file, Anthropic's of messages, Google's of a file whose results are downloaded."""
import io
import json
import os
import time

from anthropic import Anthropic
from google import genai
from openai import OpenAI

url, key, model = os.environ["GATEWAY_URL"], os.environ["GATEWAY_KEY"], os.environ["MODEL"]
hello = [{"role": "user", "content": "Say something."}]


def wait_for(look):
    for _ in range(200):
        found = look()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError("a batch did not end")


def to_file(line):
    file = io.BytesIO((json.dumps(line) + "\n").encode())
    file.name = "in.jsonl"
    return file


def read_first(content):
    return json.loads(content.decode().splitlines()[0])


openai = OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)
endpoint = "/v1/chat/completions"
line = {"custom_id": "one", "method": "POST", "url": endpoint, "body": {"model": model, "messages": hello}}
file = openai.files.create(file=to_file(line), purpose="batch")
ordered = openai.batches.create(input_file_id=file.id, endpoint=endpoint, completion_window="24h")

anthropic = Anthropic(base_url=url, api_key=key, max_retries=0)
params = {"model": model, "max_tokens": 64, "messages": hello}
messages = anthropic.messages.batches.create(requests=[{"custom_id": "one", "params": params}])

google = genai.Client(api_key=key, http_options={"base_url": url})
request = {"contents": [{"role": "user", "parts": [{"text": "Say something."}]}]}
source = google.files.upload(file=to_file({"key": "one", "request": request}), config={"mime_type": "jsonl"})
job = google.batches.create(model=model, src=source.name, config={"display_name": "of the matrix"})


def find_completed():
    batch = openai.batches.retrieve(ordered.id)
    return batch if batch.status == "completed" else None


def find_succeeded():
    batch = google.batches.get(name=job.name)
    return batch if batch.state.name == "JOB_STATE_SUCCEEDED" else None


result = read_first(openai.files.content(wait_for(find_completed).output_file_id).read())
assert result["custom_id"] == "one"
assert result["response"]["body"]["choices"][0]["message"]["content"]

wait_for(lambda: anthropic.messages.batches.retrieve(messages.id).processing_status == "ended")
results = list(anthropic.messages.batches.results(messages.id))
assert [(one.custom_id, one.result.type) for one in results] == [("one", "succeeded")]
assert results[0].result.message.content[0].text

result = read_first(google.files.download(file=wait_for(find_succeeded).dest.file_name))
assert result["key"] == "one"
assert result["response"]["candidates"][0]["content"]["parts"][0]["text"]
