"""What a replay compares with the recording, by kind, so that it can be counted. Not responsible for: comparing."""

from __future__ import annotations

from typing import Literal

Check = Literal[
    "element",
    "field",
    "failure",
    "address",
    "status",
    "refusal",
    "dialog",
    "load",
    "request",
    "text",
    "code",
    "made",
    "write",
    "effect",
]
"""What was looked at. A check that failed counts, too, but for an element that was not proven.

- ``element``: an element was proven before it was acted on; what is dragged and what it is dragged to are two.
- ``field``: a field was read back after something was put into it.
- ``failure``: neither the document nor a request of the action failed at the server. After each action that can have
  an effect, as are the next four.
- ``address``: the page is the recorded one.
- ``status``: its document has a status of the recorded class, where both have one, and an action has loaded it.
- ``refusal``: it shows no error sign that the recording lacks.
- ``dialog``: the browser asked no more than it did; and once more where it has to ask.
- ``load``: another document was loaded, where one was.
- ``request``: a recorded writing request was made, with a status of its class.
- ``text``: a text that is required stands on the page.
- ``code``: a code that a later step needs was read.
- ``made``: what a step made, changed or deleted was read back, each field of it.
- ``write``: a request that carried what the user had put in was sent again, whatever sends it.
- ``effect``: an input that was kept at a place that is tied to what was written is kept there again.
"""
