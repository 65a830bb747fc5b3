"""A chat-completions server in a thread, whose behaviour a test chooses."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

REPLY = '{"action_id": 0, "action_name": "Walk forward (slow)"}'
USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 40,
    "total_tokens": 140,
    "completion_tokens_details": {"reasoning_tokens": 15},
}


class ChatServer:
    """``requests`` holds path, headers and body of every request; ``plan`` holds the coming behaviours, then ``ok``."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.plan: list[str] = []
        self.text = REPLY
        self.connections = 0
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, authorization: str) -> tuple[int, str, bytes]:
        kind = self.plan.pop(0) if self.plan else "ok"
        if kind == "ok":
            return 200, "application/json", _completion(self.text)
        if kind == "prose":
            return 200, "application/json", _completion("I would walk forward now.")
        if kind == "echo":
            return 200, "application/json", _completion(f"your header was {authorization}")
        if kind == "echo in html":
            return 200, "text/html", (" " * 95 + authorization).encode()
        if kind == "empty":
            return 200, "application/json", b'{"id": "1", "object": "chat.completion", "choices": []}'
        if kind == "truncated":
            return 200, "application/json", _completion(self.text)[:-20]
        if kind == "html":
            return 200, "text/html", b"<html>a proxy's page</html>"
        if kind == "slow":
            time.sleep(1.0)
            return 200, "application/json", _completion(self.text)
        if kind.startswith("{"):
            return 400, "application/json", json.dumps({"error": json.loads(kind)}).encode()
        error = {"error": {"message": f"status {kind} for {authorization}", "type": "x", "param": None, "code": None}}
        return int(kind), "application/json", json.dumps(error).encode()


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _completion(text: str) -> bytes:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": USAGE}
    return json.dumps(body).encode()


def _handler(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            server.connections += 1
            super().setup()

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append({"path": self.path, "headers": _lower(self.headers), "body": body})
            status, kind, data = server.answer(self.headers.get("Authorization") or self.headers.get("api-key", ""))
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@pytest.fixture
def chat_server() -> Iterator[ChatServer]:
    server = ChatServer()
    yield server
    server.close()
