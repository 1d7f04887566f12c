"""The journal that tools kept of what they made, before it was observed what writes do: the words of its entries.

Such recordings are read, replayed and checked as before; nothing enters anything into it any more, but an import of
what was exported with one. Not responsible for: reading its table (``reader``).
"""

CHANGE = "change"
"""Kind of an entry: what is at its address was given other fields."""
DELETION = "deletion"
"""Kind of an entry: what was at its address is not there any more."""
DEED = "deed"
"""Kind of an entry: what could be done once was done, and its page does not offer it any more."""
MESSAGE = "message"
"""Kind of an entry: a text that the site keeps with what the user has sent."""
SAVE = "save"
"""Kind of an entry: something of others that the site keeps with what the user has saved."""
SHOWN = "shown"
"""Name in a step's metadata of what the user had put in, and the page showed once it was sent: a list of templates."""
