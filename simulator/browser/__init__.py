"""Playwright: browser, actors' contexts, evidence, settling, network policy. Reports to an ActionRecorder."""
