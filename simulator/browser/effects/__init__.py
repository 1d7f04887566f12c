"""What an action did, by observation: what was put in, what was sent of it, and where it is seen again.

``model``: the words of it. ``inputs``: what the user has put in. ``writes``: what the browser sends. ``places``: where
a document shows a value. ``search``: looks for it there. ``proofs``: what that proves. ``observer``: one user's, action
by action.
"""
