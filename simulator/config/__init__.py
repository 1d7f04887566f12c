"""Settings: what stands in ``sim.toml``, checked and typed.

Responsible for finding the file, reading it, and saying where a mistake is. Not responsible for: command line
options, environment variables that mirror them, or the use of any setting.
"""

from simulator.config.access import BasicAuth
from simulator.config.load import FILE_NAME, default_text, load_settings, plain_text, read_settings
from simulator.config.models import Model, Models
from simulator.config.settings import Browser, Recording, Run, Settings
from simulator.config.site import (
    NO_BOOKSHOP,
    Account,
    Endpoint,
    LoggedIn,
    RouteName,
    Site,
    check_target,
    has_bookshop,
)
from simulator.config.values import HostPort, SecretRef, host_port, is_loopback

__all__ = [
    "FILE_NAME",
    "NO_BOOKSHOP",
    "Account",
    "BasicAuth",
    "Browser",
    "Endpoint",
    "HostPort",
    "LoggedIn",
    "Model",
    "Models",
    "Recording",
    "RouteName",
    "Run",
    "SecretRef",
    "Settings",
    "Site",
    "check_target",
    "default_text",
    "has_bookshop",
    "host_port",
    "is_loopback",
    "load_settings",
    "plain_text",
    "read_settings",
]
