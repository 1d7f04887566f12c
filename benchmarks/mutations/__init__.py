"""What a replay makes of a site that has changed, judged by what the site holds afterwards."""
