"""What is recorded on applications that nobody here wrote: the calls of a scripted model."""

from __future__ import annotations

from benchmarks.sites.place import Flow
from tests.fakes.messages_api import call
from tests.sites import calibre_web

_REVIEW = "A detective story that keeps its promise; {{identity.first_name}} read it in one night."
OSCAR = Flow(
    "oscar",
    'routes = { login = "/accounts/login/" }',
    ({"do": "Register, buy two copies of The Moonstone, and say what you think of it."},),
    (
        call("navigate", url="/accounts/login/"),
        call("fill", selector="#id_registration-email", value="{{identity.email}}"),
        call("secure_fill", selector="#id_registration-password1", secret="password"),
        call("secure_fill", selector="#id_registration-password2", secret="password"),
        call("click", selector='role=button[name="Register"]'),
        call("navigate", url="/catalogue/"),
        call("click", selector="h3 a[title='The Moonstone']"),
        call("click", selector='role=button[name="Add to basket"]'),
        call("navigate", url="/basket/"),
        call("fill", selector="#id_form-0-quantity", value="2"),
        call("click", selector='role=button[name="Update"]'),
        call("click", selector="Proceed to checkout"),
        call(
            "fill_form",
            values={
                "First name": "{{identity.first_name}}",
                "Last name": "{{identity.last_name}}",
                "First line of address": "12 Harbour Row",
                "City": "{{identity.city}}",
                "Post/Zip-code": "LS1 4AP",
                "Instructions": "Ring twice, then leave it with {{identity.first_name}}'s neighbour.",
            },
        ),
        call("click", selector='role=button[name="Continue"]'),
        call("click", selector="#view_preview"),
        call("click", selector="Place order"),
        call("navigate", url="/accounts/addresses/"),
        call("navigate", url="/catalogue/"),
        call("click", selector="h3 a[title='The Moonstone']"),
        call("click", selector="Write a review"),
        call("fill", selector="Title", value="{{identity.first_name}} of {{identity.city}} liked it"),
        call("click", selector=".reviewrating .star-rating i:nth-of-type(4)"),
        call("fill", selector="Body", value=_REVIEW),
        call("click", selector="Save review"),
        call("click", selector='role=link[name="{{identity.first_name}} of {{identity.city}} liked it"]'),
    ),
)
CALIBRE_WEB = Flow(
    "calibre-web",
    'secrets = { admin_password = { env = "ADMIN_PASSWORD" } }\nroutes = { login = "/login" }',
    ({"do": "Keep a shelf, and say more about a book that stands on it."},),
    (
        call("navigate", url="/login"),
        call("fill", selector="Username", value=calibre_web.ADMIN),
        call("secure_fill", selector="Password", secret="admin_password"),
        call("click", selector='role=button[name="Login"]'),
        call("navigate", url="/shelf/create"),
        call("fill", selector="Title", value="Shelf of {{identity.first_name}}"),
        call("click", selector='role=button[name="Save"]'),
        call("navigate", url="/"),
        call("click", selector="a[href='/book/2'] p.title"),
        call("click", selector="#edit_book"),
        call("fill", selector="Book Title", value="Middlemarch, a study of {{identity.city}}"),
        call("fill", selector="Tags", value="Provincial, {{identity.last_name}}"),
        call("fill", selector="#tinymce", value="Read aloud in {{identity.city}}, one chapter an evening."),
        call("fetch_book_covers", query="Middlemarch", count=1),
        call("upload_cover_image", cover_url="{{file.cover_1}}", selector="#btn-upload-cover"),
        call("click", selector='role=button[name="Save"]'),
        call("click", selector="#add-to-shelf"),
        call("click", selector="#add-to-shelves a"),
        call("check", selector="#have_read_cb"),
        call("click", selector="#scnd-nav a[href='/shelf/1']"),
        call("click", selector="Edit Shelf Properties"),
        call("fill", selector="Title", value="Shelf of {{identity.first_name}} and friends"),
        call("click", selector='role=button[name="Save"]'),
        call("navigate", url="/me"),
        call("fill", selector="#kindle_mail", value="{{identity.email}}"),
        call("click", selector="#user_submit"),
    ),
    {"ADMIN_PASSWORD": calibre_web.PASSWORD},
)
_COMMENT = 'role=textbox[name="Type Comment Here (at least 3 chars)"]'
ISSO = Flow(
    "isso",
    "",
    ({"do": "Leave a comment, mend it, and take another one back."},),
    (
        call("navigate", url="/demo/"),
        call("fill", selector=_COMMENT, value="{{identity.first_name}} from {{identity.city}} was here"),
        call("fill", selector="Name (optional)", value="{{identity.display_name}}"),
        call("fill", selector="E-mail (optional)", value="{{identity.email}}"),
        call("click", selector='role=button[name="Submit"]'),
        call("click", selector='role=link[name="Edit"]'),
        call("fill", selector="#isso-root textarea", value="{{identity.first_name}} from {{identity.city}} is here"),
        call("click", selector='role=link[name="Save"]'),
        call("fill", selector=_COMMENT, value="Nothing to say"),
        call("click", selector='role=button[name="Submit"]'),
        call("navigate", url="/demo/"),
        call("click", selector=".isso-comment:last-of-type .isso-delete"),
        call("click", selector=".isso-comment:last-of-type .isso-delete"),
        call("navigate", url="/demo/"),
    ),
)
