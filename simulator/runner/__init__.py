"""The one place where persona, agent, tools, browser and recorder are put together."""
