"""What tests ask servers on this machine with: clients of plain HTTP.

Making a client ready for TLS reads every authority that is trusted, which takes longer than most tests.
"""

from __future__ import annotations

from functools import partial

import httpx

Client = partial(httpx.Client, verify=False)
get = partial(httpx.get, verify=False)
post = partial(httpx.post, verify=False)
request = partial(httpx.request, verify=False)
