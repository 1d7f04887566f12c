"""Sites that are none of this program's, behind a proxy: recorded once, replayed often, judged by their own state."""
