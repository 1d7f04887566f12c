"""A recorded run as a test, as HAR and as traces."""
