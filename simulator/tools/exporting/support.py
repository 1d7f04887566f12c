"""Functions that exported tests bring along, each written into a test that calls it. Not: what a test does."""

from __future__ import annotations

from typing import Final

ONE = '''\
def one(found: Locator) -> Locator:
    """Give the one element that a user sees; of links that lead to one place the first stands for all."""
    seen = found.filter(visible=True)
    seen.first.wait_for()
    acts = seen.evaluate_all(
        """all => all.map(each => each.href && [each.href, ...[...each.attributes].map(at => `${at.name}=${at.value}`)
          .filter(at => !/^(class|id|style|title|tabindex|aria-[^=]*)=/.test(at)).sort()].join(" "))"""
    )
    return seen.first if len(set(acts)) == 1 and acts[0] else seen
'''
ANSWERED = '''\
def answered(answer: Response | None, status: int) -> None:
    """Check that the site answered with a status of the same hundred; 304 confirms what a cache holds."""
    assert answer is not None, "no page was loaded"
    found = 200 if answer.status == 304 else answer.status
    assert found // 100 == status // 100, f"{answer.url}: expected status {status}, found {found}"
'''
SENT = '''\
def sent(method: str, address: str) -> Callable[[Response], bool]:
    """Tell the answer to a request from others, by a pattern of its address."""
    return lambda answer: answer.request.method == method and re.search(address, answer.url) is not None
'''
CLOSED = '''\
def closed(dialog: Locator) -> None:
    """Close a dialog that opened by itself: by its only icon that says so, else by Escape."""
    icon = dialog.get_by_role("button", name=re.compile(r"^\\W*(close|dismiss)?\\W*$", re.IGNORECASE))
    if icon.count() == 1:
        icon.click()
    else:
        dialog.page.keyboard.press("Escape")
'''
FUNCTIONS: Final = {"one": ONE, "answered": ANSWERED, "sent": SENT, "closed": CLOSED}
NAMES: Final = {"one": ("Locator",), "answered": ("Response",), "sent": ("Response",), "closed": ("Locator",)}
"""What of Playwright each of them names."""
