"""A collector of OTLP over HTTP with JSON that reads what it is sent by the official messages, strictly.

Prints its port, then one line of JSON for each request: what it understood, or what is wrong with it.
"""

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

# OTLP writes these in hexadecimal, where the JSON of protocol buffers has base64.
IDS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def with_base64(value):
    if isinstance(value, list):
        return [with_base64(one) for one in value]
    if not isinstance(value, dict):
        return value
    changed = {}
    for name, one in value.items():
        if name in IDS:
            raw = bytes.fromhex(one)
            assert len(raw) == IDS[name], f"{name} has {len(raw)} bytes"
            one = base64.b64encode(raw).decode()
        changed[name] = with_base64(one)
    return changed


def attributes(of):
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in of}


def traces(body):
    read = json_format.ParseDict(with_base64(body), ExportTraceServiceRequest())
    resource = read.resource_spans[0]
    spans = [
        {
            "trace": span.trace_id.hex(),
            "parent": span.parent_span_id.hex(),
            "name": span.name,
            "kind": span.kind,
            "nanos": span.end_time_unix_nano - span.start_time_unix_nano,
            "attributes": attributes(span.attributes),
        }
        for span in resource.scope_spans[0].spans
    ]
    return {"resource": attributes(resource.resource.attributes), "spans": spans}


def metrics(body):
    read = json_format.ParseDict(body, ExportMetricsServiceRequest())
    found = {}
    for metric in read.resource_metrics[0].scope_metrics[0].metrics:
        kind = metric.WhichOneof("data")
        points = []
        for point in getattr(metric, kind).data_points:
            told = {"attributes": attributes(point.attributes)}
            if kind == "histogram":
                assert len(point.bucket_counts) == len(point.explicit_bounds) + 1
                assert sum(point.bucket_counts) == point.count
                told.update(count=point.count, sum=point.sum)
            else:
                told.update(value=point.as_double)
            points.append(told)
        found[metric.name] = {"kind": kind, "points": points}
    return {"metrics": found}


class Collector(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            assert self.headers["content-type"] == "application/json"
            read = {"/v1/traces": traces, "/v1/metrics": metrics}[self.path]
            told, status = read(json.loads(body)), 200
            told["key"] = self.headers.get("x-key")
        except Exception as error:  # noqa: BLE001: whatever it is, the test is told
            told, status = {"error": repr(error)}, 400
        print(json.dumps(told), flush=True)
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Collector)
print(server.server_port, flush=True)
sys.stdin.close()
server.serve_forever()
