"""Data sets without Python: their sections, their files, and the fields that are made. Not responsible for: dealing."""
