"""Performing a recording without a model: plan, bind, resolve, act, check."""
