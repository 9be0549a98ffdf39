"""Reads one event from Kafka, knowing nothing but /api/asyncapi.json: what a consumer of another team would do.

    python3 consumer.py <broker> <file of the AsyncAPI document> <channel>

Prints the CloudEvent's attributes and data as JSON. Fails when the document and the event disagree.
"""

import json
import sys

import jsonschema
from cloudevents.core.bindings.kafka import KafkaMessage, from_kafka
from cloudevents.core.formats.json import JSONFormat
from kafka import KafkaConsumer

WAIT_MS = 60_000

broker, document_file, channel_name = sys.argv[1:]
with open(document_file, encoding="utf-8") as file:
    document = json.load(file)


def resolve(reference: str) -> dict:
    found = document
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    return found


channel = document["channels"][channel_name]
[message_reference] = [message["$ref"] for message in channel["messages"].values()]
described = resolve(message_reference)

consumer = KafkaConsumer(
    channel["bindings"]["kafka"]["topic"],
    bootstrap_servers=broker,
    auto_offset_reset="earliest",
    consumer_timeout_ms=WAIT_MS,
)
message = next(consumer)
consumer.close()

headers = dict(message.headers)
jsonschema.validate({name: value.decode() for name, value in headers.items()}, described["headers"])
event = from_kafka(KafkaMessage(headers, message.key, message.value), JSONFormat())
jsonschema.validate(event.get_data(), described["payload"])
print(json.dumps({**event.get_attributes(), "data": event.get_data()}, default=lambda time: time.isoformat()))
