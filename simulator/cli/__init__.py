"""The command ``sim``: one file for each group of commands. Not responsible for: doing what they ask for."""
