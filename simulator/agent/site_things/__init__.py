"""The tasks that every site has for its things, done without a model: planned, performed and proven.

Not responsible for: the shape of the tasks (``persona.thing_tasks``), or what a site says of its things
(``domain.things``).
"""
