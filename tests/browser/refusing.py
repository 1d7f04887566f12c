"""Pages that refuse a form, in the structure of each framework; and pages that took one, and say so there."""

# ruff: noqa: E501, RUF001

from __future__ import annotations

from typing import NamedTuple

Told = tuple[str, str, str]
"""Field, words and kind."""

TAKEN = "Email is already in use."
SHORT = "Use at least eight characters."
WHOLE = "Your account could not be opened."


class Refusing(NamedTuple):
    """A form that a framework shows again, and what it refuses."""

    page: str
    told: tuple[Told, ...]


FIELDS: tuple[Told, ...] = (("Email", TAKEN, "taken"), ("Nickname", SHORT, "invalid"))
BOTH: tuple[Told, ...] = (("", WHOLE, "other"), *FIELDS)
MARKS = (("Email", TAKEN), ("Nickname", SHORT))


def form(*rows: str, above: str = "", attributes: str = "") -> str:
    """A page with a form in it that is sent to the site."""
    more = '<p><label for="town">Town</label> <input id="town" name="town"></p><button>Join</button>'
    return (
        f'<main><h1>Join</h1>{above}<form method="post" action="/join" {attributes}>{"".join(rows)}{more}</form></main>'
    )


def rows(row: str) -> tuple[str, ...]:
    """A row of each field, from one that has ``{label}``, ``{name}`` and ``{words}``."""
    return tuple(row.format(label=label, name=label.lower(), words=words) for label, words in MARKS)


_INPUT = '<label for="{name}">{label}</label><input id="{name}" name="{name}" value="anna"'
REFUSING: dict[str, Refusing] = {
    "aria description": Refusing(
        form(
            *rows(
                f'<div>{_INPUT} aria-invalid="true" aria-describedby="{{name}}-e"><i id="{{name}}-e">{{words}}</i></div>'
            ),
            above=f'<div role="alert">{WHOLE}</div>',
        ),
        BOTH,
    ),
    "aria error message": Refusing(
        form(
            *rows(
                f'<div>{_INPUT} aria-invalid="true" aria-errormessage="{{name}}-e"><b id="{{name}}-e">{{words}}</b></div>'
            )
        ),
        FIELDS,
    ),
    "aria without description": Refusing(
        form(*rows(f'<div>{_INPUT} aria-invalid="true"><small>{{words}}</small></div>')), FIELDS
    ),
    "bootstrap 3": Refusing(
        form(
            *rows(
                f'<div class="form-group has-error">{_INPUT} class="form-control"><span class="help-block">{{words}}</span></div>'
            ),
            above=f'<div class="alert alert-danger"><button type="button" class="close">×</button>{WHOLE}</div>',
        ),
        BOTH,
    ),
    "bootstrap 4": Refusing(
        form(
            *rows(
                f'<div class="form-group">{_INPUT} class="form-control is-invalid"><div class="invalid-feedback">{{words}}</div></div>'
            ),
            above=f'<div class="alert alert-danger" role="alert">{WHOLE}</div>',
        ),
        BOTH,
    ),
    "bootstrap 5 floating": Refusing(
        form(
            *rows(
                '<div class="form-floating"><input id="{name}" name="{name}" value="anna" class="form-control is-invalid">'
                '<label for="{name}">{label}</label><div class="invalid-feedback">{words}</div></div>'
            )
        ),
        FIELDS,
    ),
    "django paragraphs": Refusing(
        form(
            f'<ul class="errorlist nonfield"><li>{WHOLE}</li></ul>',
            *rows('<ul class="errorlist"><li>{words}</li></ul><p>' + _INPUT + "></p>"),
        ),
        BOTH,
    ),
    "django table": Refusing(
        form(
            "<table>",
            *rows(
                '<tr><th><label for="{name}">{label}:</label></th><td><ul class="errorlist"><li>{words}</li></ul>'
                '<input id="{name}" name="{name}" value="anna"></td></tr>'
            ),
            "</table>",
        ),
        FIELDS,
    ),
    "django admin": Refusing(
        form(
            *rows(
                '<div class="form-row errors"><ul class="errorlist"><li>{words}</li></ul><div>'
                + _INPUT
                + "></div></div>"
            ),
            above=f'<p class="errornote">{WHOLE}</p>',
        ),
        BOTH,
    ),
    "rails": Refusing(
        form(
            '<div id="error_explanation"><h2>2 errors prohibited this member from being saved:</h2><ul>'
            "<li>Email has already been taken</li><li>Nickname is too short</li></ul></div>",
            *rows(
                '<div><div class="field_with_errors"><label for="{name}">{label}</label></div>'
                '<div class="field_with_errors"><input id="{name}" name="member[{name}]" value="anna"></div></div>'
            ),
        ),
        (("Email", "Email has already been taken", "taken"), ("Nickname", "Nickname is too short", "invalid")),
    ),
    "rails simple form": Refusing(
        form(*rows(f'<div class="input error">{_INPUT}><span class="error">{{words}}</span></div>')), FIELDS
    ),
    "laravel bootstrap": Refusing(
        form(
            *rows(
                f'<div>{_INPUT} class="is-invalid"><span class="invalid-feedback" role="alert"><strong>{{words}}</strong></span></div>'
            ),
            above=f'<div class="alert alert-danger"><ul><li>{WHOLE}</li></ul></div>',
        ),
        BOTH,
    ),
    "laravel tailwind": Refusing(
        form(*rows(f'<div>{_INPUT}><ul class="text-sm text-red-600 space-y-1"><li>{{words}}</li></ul></div>')), FIELDS
    ),
    "mediawiki": Refusing(
        form(
            *rows(f'<div class="mw-htmlform-field">{_INPUT}><span class="error">{{words}}</span></div>'),
            above=f'<div class="mw-message-box-error mw-message-box">{WHOLE}</div>',
        ),
        BOTH,
    ),
    "mediawiki ooui": Refusing(
        form(
            *rows(
                f'<div class="oo-ui-fieldLayout"><div>{_INPUT}></div><div class="oo-ui-fieldLayout-messages">'
                '<div class="oo-ui-messageWidget oo-ui-flaggedElement-error"><span class="oo-ui-labelElement-label">'
                "{words}</span></div></div></div>"
            )
        ),
        FIELDS,
    ),
    "wordpress login": Refusing(
        form(above=f'<div id="login_error" class="notice notice-error"><p>{WHOLE}</p></div>'), BOTH[:1]
    ),
    "wordpress admin": Refusing(form(above=f'<div class="error"><p>{WHOLE}</p></div>'), BOTH[:1]),
    "woocommerce": Refusing(form(above=f'<ul class="woocommerce-error" role="alert"><li>{WHOLE}</li></ul>'), BOTH[:1]),
    "angular material": Refusing(
        form(
            *rows(
                f'<mat-form-field class="mat-mdc-form-field mat-form-field-invalid"><div>{_INPUT} aria-invalid="true"></div>'
                '<div aria-live="polite"><mat-error class="mat-mdc-form-field-error">{words}</mat-error></div></mat-form-field>'
            )
        ),
        FIELDS,
    ),
    "mui": Refusing(
        form(
            *rows(
                '<div class="MuiFormControl-root"><label class="MuiInputLabel-root Mui-error" for="{name}">{label}</label>'
                '<div class="MuiInputBase-root Mui-error"><input id="{name}" name="{name}" value="anna" aria-invalid="true" '
                'aria-describedby="{name}-help"></div><p class="MuiFormHelperText-root Mui-error" id="{name}-help">{words}</p></div>'
            ),
            above=f'<div class="MuiAlert-root MuiAlert-standardError" role="alert"><div>{WHOLE}</div></div>',
        ),
        BOTH,
    ),
    "ant": Refusing(
        form(
            *rows(
                f'<div class="ant-form-item ant-form-item-has-error"><div>{_INPUT} aria-invalid="true"></div>'
                '<div class="ant-form-item-explain"><div class="ant-form-item-explain-error">{words}</div></div></div>'
            ),
            above=f'<div class="ant-message-notice"><div class="ant-message-error"><span>{WHOLE}</span></div></div>',
        ),
        BOTH,
    ),
    "no framework": Refusing(
        form(*rows(f'<p>{_INPUT}> <span class="error">{{words}}</span></p>'), above=f'<p class="error">{WHOLE}</p>'),
        BOTH,
    ),
    "labels of errors": Refusing(
        form(*rows(f'<div>{_INPUT} class="error"><label class="error" for="{{name}}">{{words}}</label></div>')), FIELDS
    ),
}

SAVED = "Your changes have been saved."
_HELP = rows(
    f'<div class="form-group">{_INPUT} aria-describedby="{{name}}-h"><small class="form-text help-block" id="{{name}}-h">{{words}}</small></div>'
)
TAKING: dict[str, str] = {
    "bootstrap": f'<div class="alert alert-success" role="alert">{SAVED}</div>',
    "bootstrap info": f'<div class="alert alert-info" role="alert">{SAVED}</div>',
    "django": f'<ul class="messagelist"><li class="success">{SAVED}</li></ul>',
    "rails": f'<p id="notice" class="notice">{SAVED}</p>',
    "mediawiki": f'<div class="mw-message-box-success mw-message-box">{SAVED}</div>',
    "wordpress": f'<div id="message" class="updated notice notice-success is-dismissible"><p>{SAVED}</p></div>',
    "mui": f'<div class="MuiAlert-root MuiAlert-standardSuccess" role="alert"><div>{SAVED}</div></div>',
    "ant": f'<div class="ant-message-notice" role="alert"><div class="ant-message-success"><span>{SAVED}</span></div></div>',
    "toast": f'<div class="Toastify__toast Toastify__toast--success"><div role="alert" class="Toastify__toast-body">{SAVED}</div></div>',
    "chakra": f'<div role="alert" data-status="success"><div>{SAVED}</div></div>',
    "picture's name": f'<div role="alertdialog"><div role="alert"><svg role="img" aria-label="Success"></svg><p>{SAVED}</p></div></div>',
    "title by then": '<p role="alert">Club - 48213</p><script>document.title = "Club - 48213"; setTimeout(() => { document.title = "Club - Heron"; }, 30);</script>',
    "log read aloud": '<div style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)"><div role="log" aria-live="assertive"><div>3 options available.</div><div>2026</div></div></div>',
    "announcer": '<p aria-live="assertive" role="alert">Small</p>',
    "status": f'<p role="status">{SAVED}</p>',
    "hints": form(*_HELP),
    "hidden errors": form(
        *rows(f'<div>{_INPUT}><div class="invalid-feedback" style="display:none">{{words}}</div></div>')
    ),
    "required marks": form(
        *rows(
            '<div><label for="{name}">{label} <span class="text-red-500">*</span></label><input id="{name}" name="{name}"></div>'
        )
    ),
    "dangerous button": form('<button class="text-danger">Delete the account</button>'),
    "red words": form(
        '<p class="text-red-600">Only three left at this price</p>', "<p><label>Size <input name=size></label></p>"
    ),
    "log of errors": '<table><tr><td class="error">Disk full</td></tr></table><ul><li class="error">Timed out</li></ul>',
    "empty regions": '<div role="alert"></div><div aria-live="assertive"></div>',
}
